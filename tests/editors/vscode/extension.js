// Starts the language server and tells it of the files that it has a word on. No more: this is for the smoke test.

const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const LANGUAGES = ['typescript', 'typescriptreact', 'javascript', 'python', 'rust'];
const PATTERNS = ['**/.claude/settings*.json', '**/.mcp.json', '**/toolnames.toml'];

let client;

exports.activate = async () => {
  const server = { command: workspace.getConfiguration('toolnames').get('path'), args: ['server'] };
  const documentSelector = [
    ...LANGUAGES.map((language) => ({ scheme: 'file', language })),
    ...PATTERNS.map((pattern) => ({ scheme: 'file', pattern })),
  ];
  client = new LanguageClient('toolnames', 'toolnames', server, { documentSelector });
  await client.start();
};

exports.deactivate = () => client?.stop();
