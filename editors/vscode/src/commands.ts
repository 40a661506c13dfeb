// What people can ask for by name.

import {
  CodeActionKind, commands, type Disposable, env, languages, type QuickPickItem, Range, type TreeView, Uri, window, workspace,
} from 'vscode';
import type { Location, Position as ProtocolPosition } from 'vscode-languageclient/node';

import { type Rule, RULES, SHOW_REFERENCES, type Tool } from './protocol';
import type { Session } from './session';
import { locationOf, type Row, type Tools } from './tools';

/** Pages of rules are shown as documents of this scheme. */
const RULE_SCHEME = 'toolnames-rule';

export function register(session: Session, tools: Tools, view: TreeView<Row>): Disposable[] {
  const pages = new Map<string, string>();
  return [
    commands.registerCommand('toolnames.restart', () => session.restart()),
    commands.registerCommand('toolnames.showLog', () => session.log.show()),
    commands.registerCommand('toolnames.showTools', () => commands.executeCommand('toolnames.tools.focus')),
    commands.registerCommand('toolnames.refreshTools', () => tools.refresh()),
    commands.registerCommand('toolnames.open', (id: string) => open(tools, id)),
    commands.registerCommand('toolnames.copyName', (row?: Row) =>
      row?.kind === 'tool' ? env.clipboard.writeText(row.tool.name) : undefined),
    // From the palette one is chosen; from the view it is the row that is meant, by mouse or by key.
    commands.registerCommand('toolnames.rename', (row?: Row) => rename(session, tools, row)),
    commands.registerCommand('toolnames.renameSelected', () => rename(session, tools, view.selection[0])),
    commands.registerCommand('toolnames.fixAll', fixAll),
    commands.registerCommand('toolnames.explain', (id?: string) => explain(session, pages, id)),
    commands.registerCommand(SHOW_REFERENCES, (uri: string, at: ProtocolPosition, places: Location[]) => {
      const converter = session.converter;
      if (!converter) return undefined;
      const locations = places.map((place) => converter.asLocation(place));
      return commands.executeCommand('editor.action.showReferences', Uri.parse(uri), converter.asPosition(at), locations);
    }),
    workspace.registerTextDocumentContentProvider(RULE_SCHEME, {
      provideTextDocumentContent: (uri) => pages.get(uri.path) ?? '',
    }),
  ];
}

/** Opens what a row of the view leads to, and selects it. */
async function open(tools: Tools, id: string): Promise<void> {
  const row = await tools.current(id);
  const location = row && locationOf(row);
  if (!location) {
    void window.showInformationMessage('This entry no longer exists.');
    return;
  }
  const { start, end } = location.range;
  const selection = new Range(start.line, start.character, end.line, end.character);
  await window.showTextDocument(Uri.parse(location.uri), { selection });
}

interface ToolItem extends QuickPickItem {
  tool: Tool;
}

/** Renames the tool of a row, or one that is chosen, and shows what changes before it does where that is wished. */
async function rename(session: Session, tools: Tools, row?: Row): Promise<void> {
  const present = row?.kind === 'tool' ? await tools.current(row.id) : undefined;
  if (!present) await tools.refresh();
  const tool = present?.kind === 'tool' ? present.tool : await choose(tools);
  if (!tool) return;
  const name = await window.showInputBox({
    title: `Rename ${tool.name}`,
    prompt: 'The new name, as clients will see it. The old name stays as an alias if you confirm that.',
    value: tool.name,
    valueSelection: [0, tool.name.length],
    validateInput: (name) => (name.trim() === '' ? 'Enter a name.' : undefined),
  });
  if (name === undefined || name === tool.name) return;
  // The server counts positions in documents that it was shown.
  await workspace.openTextDocument(Uri.parse(tool.location.uri));
  try {
    // Our own server is asked, and no other; what wants to be confirmed is shown before it is done.
    const edit = await session.rename(tool.location, name);
    if (edit) await workspace.applyEdit(edit, { isRefactoring: true });
  } catch (trouble) {
    const why = trouble instanceof Error ? trouble.message : String(trouble);
    void window.showErrorMessage(`${tool.name} was not renamed: ${why}`);
  }
}

async function choose(tools: Tools): Promise<Tool | undefined> {
  const items = tools.servers().flatMap((server) => server.tools.filter((tool) => tool.aliasOf === null).map(
    (tool): ToolItem => ({ label: tool.name, description: server.name, ...(tool.title ? { detail: tool.title } : {}), tool })));
  if (items.length === 0) {
    void window.showInformationMessage('toolnames found no tool that is registered in this workspace.');
    return undefined;
  }
  const title = 'Rename a tool';
  return (await window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))?.tool;
}

/** Repairs all that has one safe repair in the document that is looked at. */
async function fixAll(): Promise<void> {
  const editor = window.activeTextEditor;
  if (!editor) {
    void window.showInformationMessage('Open the file whose names you want to fix.');
    return;
  }
  const kind = CodeActionKind.SourceFixAll.append('toolnames').value;
  await commands.executeCommand('editor.action.sourceAction', { kind, apply: 'first' });
}

/** Shows the page of a rule: the one that is named, or one that is chosen. */
async function explain(session: Session, pages: Map<string, string>, id?: string): Promise<void> {
  const rules = await session.ask<Rule[]>(RULES);
  if (!rules) {
    void window.showWarningMessage('The toolnames server is not running.', 'Open the log').then((chosen) =>
      chosen && session.log.show());
    return;
  }
  const here = id ?? ruleAtCursor();
  const items = rules.map((rule) => ({ label: rule.id, description: rule.severity, detail: rule.summary, rule }));
  // The one at the cursor comes first.
  items.sort((a, b) => Number(b.rule.id === here) - Number(a.rule.id === here));
  const title = 'Explain a rule';
  const rule = rules.find((rule) => rule.id === id)
    ?? (await window.showQuickPick(items, { title, matchOnDetail: true }))?.rule;
  if (!rule) return;
  const uri = Uri.from({ scheme: RULE_SCHEME, path: `/${rule.id}.md` });
  pages.set(uri.path, rule.page);
  await commands.executeCommand('markdown.showPreview', uri);
}

/** The rule of a finding at the cursor. */
function ruleAtCursor(): string | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const found = findingsIn(editor.document.uri).find((one) => one.range.contains(editor.selection.active));
  return typeof found?.code === 'object' ? String(found.code.value) : found?.code?.toString();
}

function findingsIn(uri: Uri) {
  return languages.getDiagnostics(uri).filter((found) => found.source === 'toolnames');
}
