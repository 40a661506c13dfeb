// Which program is the server.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type ExtensionContext, workspace } from 'vscode';

export interface Binary {
  path: string;
  /** Why it is this one, for people. */
  found: string;
}

/** No program was found, or not the one that was asked for. The message says what to do. */
export class NoBinary extends Error {}

const NAME = process.platform === 'win32' ? 'toolnames.exe' : 'toolnames';

/** Where installers of packages put the programs of a project. */
const OF_PROJECTS = process.platform === 'win32'
  ? [['.venv', 'Scripts', NAME]]
  : [['node_modules', '.bin', NAME], ['.venv', 'bin', NAME]];

/**
 * The setting, the project's own, the one that came with the extension, or the one on PATH: the first that is there.
 * What a workspace says or holds counts only when it is trusted; of the setting, VS Code sees to that.
 */
export function find(context: ExtensionContext): Binary {
  const setting = workspace.getConfiguration('toolnames').get<string>('path')?.trim();
  if (setting) {
    const path = isAbsolute(setting) || !/[/\\]/.test(setting) ? setting : inFolder(setting);
    const found = isAbsolute(path) ? (runs(path) ? path : undefined) : onPath(path);
    if (!found) throw new NoBinary(`The setting "toolnames.path" says ${setting}, and no program is there.`);
    return { path: found, found: 'by the setting "toolnames.path"' };
  }
  if (workspace.isTrusted) {
    for (const folder of workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== 'file') continue;
      for (const parts of OF_PROJECTS) {
        const path = join(folder.uri.fsPath, ...parts);
        if (runs(path)) return { path, found: `installed in ${folder.name}` };
      }
    }
  }
  const bundled = context.asAbsolutePath(join('server', NAME));
  if (runs(bundled)) return { path: bundled, found: 'of the extension' };
  const path = onPath(NAME);
  if (path) return { path, found: 'on PATH' };
  throw new NoBinary('This build of the extension brings no server, and there is no toolnames on PATH.');
}

/** A relative setting, seen from the first folder of the workspace. */
function inFolder(setting: string): string {
  const folder = workspace.workspaceFolders?.find((folder) => folder.uri.scheme === 'file');
  return folder ? join(folder.uri.fsPath, setting) : setting;
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
