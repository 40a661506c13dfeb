// Which program is the server.

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { type ExtensionContext, workspace } from 'vscode';

export interface Binary {
  path: string;
  /** Why it is this one, for people. */
  found: string;
}

/** No program was found, or not the one that was asked for: why, and what to do. */
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
    const isPath = isAbsolute(setting) || /[/\\]/.test(setting);
    const found = isPath ? [inFolder(setting)].find((path) => path !== undefined && runs(path)) : onPath(setting);
    if (!found) {
      throw new NoBinary(`The setting "toolnames.path" is ${setting}, but there is no such program. Correct it, or leave it empty.`);
    }
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
  throw new NoBinary('This build of the extension contains no server, and toolnames is not on PATH. '
    + 'Install it with `cargo install toolnames`, or name it in the setting "toolnames.path".');
}

/** Asks a program who it is: to speak the protocol with another one ends in messages that help nobody. */
export async function check(binary: Binary): Promise<void> {
  const asked = promisify(execFile)(binary.path, ['--version'], { timeout: 10_000 });
  const answer = await asked.then(({ stdout }) => stdout.trim(), (trouble: Error) => trouble.message);
  if (/^toolnames \d/.test(answer)) return;
  const said = answer === '' ? 'nothing' : answer.slice(0, 200);
  throw new NoBinary(`${binary.path} (${binary.found}) is not toolnames: with --version, it prints ${said}. `
    + 'Correct the setting "toolnames.path", or leave it empty.');
}

/** A path of a setting. A relative one leads into the first folder of the workspace, and nowhere when that is not trusted. */
function inFolder(setting: string): string | undefined {
  if (isAbsolute(setting)) return setting;
  const folder = workspace.workspaceFolders?.find((folder) => folder.uri.scheme === 'file');
  return folder && workspace.isTrusted ? join(folder.uri.fsPath, setting) : undefined;
}

function onPath(name: string): string | undefined {
  const file = process.platform === 'win32' && !/\.\w+$/.test(name) ? `${name}.exe` : name;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, file)).find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
