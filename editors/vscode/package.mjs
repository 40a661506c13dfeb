// Packs the extension: node package.mjs [--target TARGET --server PROGRAM] [--out FILE]
//
// With a target of `vsce package` (linux-x64, win32-x64, darwin-arm64, …) the program, built for that platform, travels along.
// Without one the extension brings none, and takes the project's or the one on PATH.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string', default: 'toolnames.vsix' } },
});
if (!values.target !== !values.server) {
  console.error('--target and --server belong together: for which platform is which program?');
  process.exit(2);
}
const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const at = (...parts) => path.join(here, ...parts);

// What the repository has once and the package needs beside its manifest.
fs.mkdirSync(at('schema'), { recursive: true });
fs.copyFileSync(path.join(root, 'docs', 'toolnames.schema.json'), at('schema', 'toolnames.schema.json'));
for (const file of ['CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']) fs.copyFileSync(path.join(root, file), at(file));
fs.rmSync(at('server'), { recursive: true, force: true });
if (values.server) {
  const name = values.target.startsWith('win32') ? 'toolnames.exe' : 'toolnames';
  fs.mkdirSync(at('server'));
  fs.copyFileSync(values.server, at('server', name));
  fs.chmodSync(at('server', name), 0o755);
}

const vsce = at('node_modules', '@vscode', 'vsce', 'vsce');
const target = values.target ? ['--target', values.target] : [];
// Images of the README are in the package; no address is needed to find them.
execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', path.resolve(values.out), ...target], {
  cwd: here,
  stdio: 'inherit',
});
