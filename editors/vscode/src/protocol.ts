// What the server says beyond the Language Server Protocol. Positions are the protocol's.

import type { Location } from 'vscode-languageclient/node';

/** What a client file says of a tool. */
export interface Said {
  kind: 'allow' | 'ask' | 'deny';
  /** Whose file it is, as people call it. */
  client: string;
  text: string;
  /** Of all that this client reads about the tool, it decides. */
  decides: boolean;
  location: Location;
  path: string;
}

export interface Tool {
  name: string;
  title: string | null;
  /** The tool whose old name it is. */
  aliasOf: string | null;
  destructive: boolean;
  location: Location;
  path: string;
  said: Said[];
}

export interface Server {
  name: string;
  /** The folder of its package, from the workspace's root. */
  root: string;
  /** The keys under which client files start it, and where they do. */
  keys: { key: string; locations: Location[] }[];
  /** Why it may have more tools than can be seen. */
  incompleteBecause: string[];
  tools: Tool[];
}

/** A folder of the workspace: one element of the answer to `toolnames/tools`. */
export interface Folder {
  folder: string;
  servers: Server[];
  /** The keys of servers that files name tools of, and whose tools are not known. */
  notKnown: string[];
}

/** One element of the answer to `toolnames/rules`. */
export interface Rule {
  id: string;
  severity: string;
  summary: string;
  /** Its page, in Markdown. */
  page: string;
}

export const TOOLS = 'toolnames/tools';
/** Sent by the server to clients that say `experimental.toolsChanged`. */
export const TOOLS_CHANGED = 'toolnames/toolsChanged';
export const RULES = 'toolnames/rules';
/** The command behind the server's lenses: it shows several places. */
export const SHOW_REFERENCES = 'toolnames.showReferences';
