// Runs inside VS Code's extension host, against the true API: what other extensions and the editor itself get from ours.

const assert = require('node:assert');
const fs = require('node:fs/promises');
const path = require('node:path');
const vscode = require('vscode');

const { commands, languages, Position, Uri, window, workspace, WorkspaceEdit } = vscode;

const given = (variable) => {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
};
const settings = given('SMOKE_SETTINGS');
const misspelt = given('SMOKE_MISSPELT');
const repaired = given('SMOKE_REPAIRED');
const source = given('SMOKE_SOURCE');
const tool = given('SMOKE_TOOL');
const renamed = given('SMOKE_RENAMED');

const root = workspace.workspaceFolders[0].uri;
const at = (file) => Uri.joinPath(root, file);
const onDisk = async (file) => Buffer.from(await workspace.fs.readFile(at(file))).toString();

async function eventually(what, question) {
  for (let times = 0; times < 600; times++) {
    const answer = await question();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`in vain: ${what}`);
}

/**
 * What the providers of a command give, once it is what is waited for. Our server gives nothing while it is still reading the
 * text: whoever asks by hand asks again.
 */
function provided(command, ...given) {
  const isRight = given.pop();
  return eventually(`${command} for ${given[0]?.path ?? given[0]}`, async () => {
    const answer = await commands.executeCommand(`vscode.${command}`, ...given);
    return answer && isRight(answer) && answer;
  });
}

async function show(file) {
  const document = await workspace.openTextDocument(at(file));
  await window.showTextDocument(document);
  return document;
}

/** The language servers that this extension host runs, by their process ids. */
async function processes() {
  const threads = await fs.readdir('/proc/self/task');
  const ofThread = (thread) => fs.readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '');
  const children = (await Promise.all(threads.map(ofThread))).join(' ').split(/\s+/).filter(Boolean);
  const isServer = async (id) => (await fs.readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).includes('toolnames\0server');
  const are = await Promise.all(children.map(isServer));
  return children.filter((_, index) => are[index]);
}

/** Where a text stands in a document, some characters into it. */
const place = (document, text, into = 0) => document.positionAt(document.getText().indexOf(text) + into);

/** Whether a completion has such an item. */
const offers = (label) => (list) => list.items.some((item) => (item.label?.label ?? item.label) === label);

/** Whether one of the hovers says something. */
const says = (pattern) => (hovers) => hovers.some((hover) => hover.contents.some((content) => pattern.test(content.value)));

const tests = {
  'the extension is active and has its commands': async () => {
    await show(settings);
    const extension = vscode.extensions.getExtension('toolnames.toolnames');
    await eventually('active', () => extension.isActive);
    const known = await commands.getCommands(true);
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(known.includes(command), command);
  },

  'a finding has a rule, a range and a repair': async () => {
    const document = await show(settings);
    const found = await eventually('the finding', () =>
      languages.getDiagnostics(document.uri).find((one) => document.getText(one.range) === misspelt));
    assert.equal(found.source, 'toolnames');
    assert.equal(found.code?.value ?? found.code, 'permission-unknown-tool');
    // Findings may be there before the rest of the workbench is: it answers nothing then, or with an error.
    const offered = async () => {
      try {
        return await commands.executeCommand('vscode.executeCodeActionProvider', document.uri, found.range);
      } catch {
        return [];
      }
    };
    const repair = await eventually('the repair', async () =>
      (await offered()).find((action) => action.title === `Replace with \`${repaired}\``));
    assert.ok(repair.isPreferred);
    const before = document.getText();
    assert.ok(await workspace.applyEdit(repair.edit));
    assert.equal(document.getText(), before.replace(misspelt, repaired));
    await commands.executeCommand('undo');
    assert.equal(document.getText(), before);
  },

  'files that nobody opened have findings too': async () => {
    await eventually('findings elsewhere', () =>
      languages.getDiagnostics().some(([uri, found]) => uri.path.endsWith('notes_server.py') && found.length > 0));
  },

  'completion in a permission string': async () => {
    const document = await show(settings);
    await provided('executeCompletionItemProvider', document.uri, place(document, misspelt, 15), offers(repaired));
  },

  'completion and hover in toolnames.toml': async () => {
    const document = await show('toolnames.toml');
    const key = place(document, 'closed', 2);
    await provided('executeCompletionItemProvider', document.uri, key, offers('closed'));
    await provided('executeHoverProvider', document.uri, key, says(/any other server is reported/));
  },

  'a permission leads to its registration and back': async () => {
    const document = await show(settings);
    const name = 'mcp__notes__list_notes';
    const inside = place(document, name, 15);
    const [definition] = await provided('executeDefinitionProvider', document.uri, inside, (found) => found.length > 0);
    const uri = definition.targetUri ?? definition.uri;
    assert.equal(path.basename(uri.path), 'notes_server.py');
    const start = (definition.targetSelectionRange ?? definition.targetRange ?? definition.range).start;
    const isBack = (reference) => reference.uri.path === document.uri.path;
    await provided('executeReferenceProvider', uri, start, (found) => found.some(isBack));
    await provided('executeHoverProvider', document.uri, inside, says(/notes_server\.py/));
  },

  'symbols of a document and of the workspace': async () => {
    const document = await show(source);
    const isNamed = (name) => (found) => found.some((symbol) => symbol.name === name);
    const symbols = await provided('executeDocumentSymbolProvider', document.uri, isNamed(`tickets_${tool}`));
    assert.ok(symbols.length > 1);
    await provided('executeWorkspaceSymbolProvider', 'list_notes', isNamed('list_notes'));
  },

  'hints show whole names, lenses who permits them': async () => {
    const document = await show(source);
    const whole = new vscode.Range(new Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
    const labelOf = (hint) => (typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join(''));
    await provided('executeInlayHintProvider', document.uri, whole, (found) => found.some((hint) => labelOf(hint) === `tickets_${tool}`));
    await provided('executeCodeLensProvider', document.uri, 20, (found) => found.some((lens) => lens.command?.title === 'allowed in 1 file'));
  },

  'outside the names it owns it answers nothing': async () => {
    const document = await show('servers/notes/notes_server.py');
    const elsewhere = place(document, 'binned: dict', 2);
    const hovers = await commands.executeCommand('vscode.executeHoverProvider', document.uri, elsewhere);
    assert.deepEqual(hovers, []);
    const definitions = await commands.executeCommand('vscode.executeDefinitionProvider', document.uri, elsewhere);
    assert.deepEqual(definitions, []);
    const highlights = await commands.executeCommand('vscode.executeDocumentHighlights', document.uri, elsewhere);
    assert.ok(!highlights?.length || highlights.every((one) => document.getText(one.range) === 'binned'));
    const offered = await commands.executeCommand('vscode.executeCompletionItemProvider', document.uri, elsewhere);
    assert.ok(offered.items.every((item) => item.detail !== 'notes'), JSON.stringify(offered.items.slice(0, 3)));
    await assert.rejects(async () => commands.executeCommand('vscode.prepareRename', document.uri, elsewhere));
  },

  'the language\'s own server renames what is its own': async () => {
    const document = await show(source);
    const position = place(document, 'opened.', 2);
    const edit = await eventually('an answer of tsserver', async () => {
      try {
        return await commands.executeCommand('vscode.executeDocumentRenameProvider', document.uri, position, 'ticket_opened');
      } catch {
        return undefined; // It still starts.
      }
    });
    assert.ok(edit.entries().every(([uri]) => uri.path === document.uri.path));
    assert.ok(edit.entries()[0][1].every((one) => one.newText.includes('ticket_opened')), JSON.stringify(edit.entries()));
  },

  'a rename changes source and settings': async () => {
    const document = await show(source);
    const position = place(document, `"${tool}"`, 2);
    const { range, placeholder } = await commands.executeCommand('vscode.prepareRename', document.uri, position);
    assert.deepEqual([document.getText(range), placeholder], [tool, tool]);
    const edit = await commands.executeCommand('vscode.executeDocumentRenameProvider', document.uri, position, renamed);
    assert.ok(await workspace.applyEdit(edit, { isRefactoring: true }));
    await workspace.saveAll();
    assert.ok((await onDisk(source)).includes(`"${renamed}"`));
    const server = await show('servers/notes/notes_server.py');
    const other = await commands.executeCommand(
      'vscode.executeDocumentRenameProvider', server.uri, place(server, 'def list_notes', 6), 'list_titles');
    assert.ok(await workspace.applyEdit(other, { isRefactoring: true }));
    await workspace.saveAll();
    assert.ok((await onDisk('servers/notes/notes_server.py')).includes('name="list_titles"'));
    assert.ok((await onDisk(settings)).includes('"mcp__notes__list_titles"'));
  },

  'a name that is taken is refused with the reason': async () => {
    const document = await show(source);
    const position = place(document, '"open"', 2);
    await assert.rejects(
      async () => commands.executeCommand('vscode.executeDocumentRenameProvider', document.uri, position, renamed),
      (error) => /taken|already/.test(error.message) || assert.fail(error.message));
  },

  'Fix All Names repairs a file, and nothing that is not safe': async () => {
    const document = await show(settings);
    const before = languages.getDiagnostics(document.uri).length;
    await commands.executeCommand('toolnames.fixAll');
    await eventually('fewer findings', () => languages.getDiagnostics(document.uri).length < before);
    assert.ok(document.getText().includes('mcp__notes__read_note"'), document.getText());
    assert.ok(document.getText().includes('"Bash(npm run build)"'));
  },

  'after a restart it goes on': async () => {
    const document = await show(settings);
    const before = await processes();
    await commands.executeCommand('toolnames.restart');
    await eventually('another process', async () => {
      const now = await processes();
      return now.length === 1 && !before.includes(now[0]);
    });
    // What was shown before is no answer: the new process is asked about a fault that was not there.
    const edit = new WorkspaceEdit();
    const entry = document.getText().indexOf('"mcp__notes__read_note"');
    assert.ok(entry > 0, document.getText());
    edit.insert(document.uri, document.positionAt(entry), '"mcp__notes__raed_note",\n');
    await workspace.applyEdit(edit);
    const isNew = (found) => found.message.includes('raed_note');
    await eventually('a new finding', () => languages.getDiagnostics(document.uri).some(isNew));
  },
};

exports.run = async () => {
  let failed = 0;
  for (const [what, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok    vscode-api  ${what}`);
    } catch (trouble) {
      failed++;
      console.log(`FAIL  vscode-api  ${what}`);
      console.error(`${what}: ${trouble?.stack ?? trouble}`);
    }
  }
  if (failed > 0) throw new Error(`${failed} failed`);
};
