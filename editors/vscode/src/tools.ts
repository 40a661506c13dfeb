// The Tools view: servers, their tools, and of each tool where it is registered and who permits or denies it.

import {
  type Disposable, EventEmitter, MarkdownString, ThemeColor, ThemeIcon, type TreeDataProvider, TreeItem,
  TreeItemCollapsibleState, type TreeView, Uri, window, workspace,
} from 'vscode';
import type { Location } from 'vscode-languageclient/node';

import { type Folder, type Said, type Server, type Tool, TOOLS } from './protocol';
import type { Session } from './session';
import { counted } from './status';

/** A row of the view: what it stands for, and what it is known by when the server is asked again. */
export type Row = { id: string } & (
  | { kind: 'folder'; folder: Folder }
  | { kind: 'server'; server: Server }
  | { kind: 'gap'; why: string }
  | { kind: 'key'; key: string; location: Location }
  | { kind: 'tool'; tool: Tool; server: Server }
  | { kind: 'registration'; tool: Tool }
  | { kind: 'alias'; tool: Tool }
  | { kind: 'said'; said: Said }
);
type New = Row extends infer One ? (One extends Row ? Omit<One, 'id'> : never) : never;

/** What is decided about a tool, over all clients that speak of it: the strictest counts. */
export type Verdict = Said['kind'] | undefined;

export function verdict(tool: Tool): Verdict {
  const decisions = tool.said.filter((said) => said.decides).map((said) => said.kind);
  return (['deny', 'ask', 'allow'] as const).find((kind) => decisions.includes(kind));
}

const VERDICTS = {
  allow: { word: 'allowed', icon: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')) },
  ask: { word: 'asks', icon: new ThemeIcon('question', new ThemeColor('testing.iconQueued')) },
  deny: { word: 'denied', icon: new ThemeIcon('error', new ThemeColor('testing.iconFailed')) },
};

export class Tools implements TreeDataProvider<Row>, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private folders: Folder[] = [];
  /** How often the server was asked: an answer that another one overtook is dropped. */
  private asked = 0;
  /** Some document has changed since: what is known of places may be wrong. */
  private isStale = false;
  private readonly listening = workspace.onDidChangeTextDocument(({ document }) => {
    // What is written to an output channel is a change of a document, too.
    if (document.uri.scheme !== 'output') this.isStale = true;
  });

  constructor(private readonly session: Session) {}

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Asks the server again. */
  async refresh(): Promise<Folder[]> {
    const asked = ++this.asked;
    this.isStale = false;
    const folders = await this.session.ask<Folder[]>(TOOLS);
    if (asked === this.asked) {
      const isNew = JSON.stringify(folders ?? []) !== JSON.stringify(this.folders);
      this.folders = folders ?? [];
      // A click on a row is lost while VS Code draws it anew, so nothing is drawn that is there already.
      if (isNew) this.changed.fire();
    }
    return this.folders;
  }

  /** The folders as the server last described them. */
  known(): Folder[] {
    return this.folders;
  }

  /** A row as it is now, with its place in the text as it is now. */
  async current(id: string): Promise<Row | undefined> {
    if (this.isStale) await this.refresh();
    const find = (above?: Row): Row | undefined => {
      for (const row of this.getChildren(above)) {
        const found = row.id === id ? row : id.startsWith(`${row.id}/`) ? find(row) : undefined;
        if (found) return found;
      }
      return undefined;
    };
    return find();
  }

  servers(): Server[] {
    return this.folders.flatMap((folder) => folder.servers);
  }

  getTreeItem(row: Row): TreeItem {
    const item = present(row);
    item.id = row.id;
    item.contextValue = row.kind === 'tool' && row.tool.aliasOf !== null ? 'old-name' : row.kind;
    if (locationOf(row)) item.command = { title: 'Open', command: 'toolnames.open', arguments: [row.id] };
    return item;
  }

  getChildren(row?: Row): Row[] {
    // Two of one name are told apart by their order.
    const seen = new Map<string, number>();
    return this.below(row).map((child) => {
      const name = `${row?.id ?? ''}/${child.kind}:${known(child)}`;
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      return { ...child, id: times === 0 ? name : `${name}#${times}` };
    });
  }

  private below(row?: Row): New[] {
    switch (row?.kind) {
      case undefined: {
        const found = this.folders.filter((folder) => folder.servers.length > 0);
        if (found.length > 1) return found.map((folder) => ({ kind: 'folder', folder }));
        return servers(found[0]);
      }
      case 'folder':
        return servers(row.folder);
      case 'server': {
        const { server } = row;
        const gaps: New[] = server.incompleteBecause.map((why) => ({ kind: 'gap', why }));
        const keys: New[] = server.keys.flatMap(({ key, locations }) =>
          locations.map((location) => ({ kind: 'key', key, location })));
        const tools: New[] = server.tools.map((tool) => ({ kind: 'tool', tool, server }));
        return [...gaps, ...keys, ...tools];
      }
      case 'tool': {
        const { tool, server } = row;
        const aliases: New[] = server.tools.filter((other) => other.aliasOf === tool.name)
          .map((alias) => ({ kind: 'alias', tool: alias }));
        const said: New[] = tool.said.map((said) => ({ kind: 'said', said }));
        return [{ kind: 'registration', tool }, ...aliases, ...said];
      }
      default:
        return [];
    }
  }
}

function servers(folder: Folder | undefined): New[] {
  return (folder?.servers ?? []).map((server) => ({ kind: 'server', server }));
}

/** Where a row leads. */
export function locationOf(row: Row): Location | undefined {
  switch (row.kind) {
    case 'tool':
    case 'registration':
    case 'alias':
      return row.tool.location;
    case 'key':
      return row.location;
    case 'said':
      return row.said.location;
    default:
      return undefined;
  }
}

/** What a row is called, whatever is said of it. */
function known(row: New): string {
  switch (row.kind) {
    case 'folder': return row.folder.folder;
    case 'server': return `${row.server.root}:${row.server.name}`;
    case 'gap': return row.why;
    case 'key': return row.key;
    case 'said': return `${row.said.path}:${row.said.kind}:${row.said.text}`;
    default: return row.tool.name;
  }
}

function present(row: Row): TreeItem {
  switch (row.kind) {
    case 'folder': {
      const item = new TreeItem(Uri.parse(row.folder.folder), TreeItemCollapsibleState.Expanded);
      item.iconPath = ThemeIcon.Folder;
      return item;
    }
    case 'server': {
      const { server } = row;
      const item = new TreeItem(server.name, TreeItemCollapsibleState.Expanded);
      item.description = counted(server.tools.length, 'tool') + (server.incompleteBecause.length > 0 ? ' or more' : '');
      item.iconPath = new ThemeIcon('server');
      item.tooltip = `The server ${server.name} in ${server.root || 'this folder'}`;
      return item;
    }
    case 'gap': {
      const item = new TreeItem('incomplete', TreeItemCollapsibleState.None);
      item.description = row.why;
      item.tooltip = `There may be more tools than toolnames can find: ${row.why}`;
      item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
      return item;
    }
    case 'key': {
      const item = new TreeItem(`started as ${row.key}`, TreeItemCollapsibleState.None);
      return leadingTo(item, row.location, 'plug');
    }
    case 'tool':
      return presentTool(row.tool);
    case 'registration': {
      const item = new TreeItem('registered', TreeItemCollapsibleState.None);
      return leadingTo(item, row.tool.location, 'symbol-method');
    }
    case 'alias': {
      const item = new TreeItem(`also answers to ${row.tool.name}`, TreeItemCollapsibleState.None);
      return leadingTo(item, row.tool.location, 'history');
    }
    case 'said': {
      const { said } = row;
      const item = new TreeItem(`${said.client}: ${VERDICTS[said.kind].word}`, TreeItemCollapsibleState.None);
      leadingTo(item, said.location);
      item.description = `${said.text}  ${String(item.description)}`;
      item.tooltip = said.decides
        ? `${said.text} decides for ${said.client}`
        : `${said.text} matches, but other entries determine whether it decides for ${said.client}`;
      item.iconPath = said.decides ? VERDICTS[said.kind].icon : new ThemeIcon('circle-outline');
      return item;
    }
  }
}

function presentTool(tool: Tool): TreeItem {
  const item = new TreeItem(tool.name, TreeItemCollapsibleState.Collapsed);
  const decided = verdict(tool);
  const clients = [...new Set(tool.said.filter((said) => said.decides && said.kind === decided).map((said) => said.client))];
  const words = [
    tool.aliasOf === null ? undefined : `old name of ${tool.aliasOf}`,
    decided && `${VERDICTS[decided].word} by ${clients.join(', ')}`,
    !decided && tool.said.length > 0
      ? `mentioned by ${[...new Set(tool.said.map((said) => said.client))].join(', ')}`
      : undefined,
    tool.destructive ? 'destructive' : undefined,
  ];
  item.description = words.filter(Boolean).join(' · ');
  item.iconPath = decided ? VERDICTS[decided].icon : new ThemeIcon(tool.aliasOf === null ? 'circle-outline' : 'history');
  const tooltip = new MarkdownString();
  tooltip.appendMarkdown('**').appendText(tool.name).appendMarkdown('**');
  if (tool.title) tooltip.appendText(` ${tool.title}`);
  tooltip.appendText(`\n\n${item.description || 'no client file mentions it'}`);
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: `${tool.name}, ${item.description || 'no client file mentions it'}` };
  return item;
}

/** Says of a row that goes somewhere where that is. */
function leadingTo(item: TreeItem, location: Location, icon?: string): TreeItem {
  const uri = Uri.parse(location.uri);
  item.description = `${workspace.asRelativePath(uri)}:${location.range.start.line + 1}`;
  if (icon) item.iconPath = new ThemeIcon(icon);
  return item;
}

/** Puts the view up. */
export function createView(tools: Tools): TreeView<Row> {
  return window.createTreeView('toolnames.tools', { treeDataProvider: tools, showCollapseAll: true });
}
