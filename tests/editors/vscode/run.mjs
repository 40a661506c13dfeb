// The extension in VS Code: squiggles, repairs by keyboard, a rename with its preview, completion, the view of all tools, a
// workspace nobody trusts, several folders. run.sh starts this with the variables that `given` names.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { check, end, eventually, given, install, pictures, servers, Told, Workbench } from './workbench.mjs';

const workspace = given('SMOKE_WORKSPACE'); // copied before anything is changed
const settings = given('SMOKE_SETTINGS'); // the file with the misspelt entry, from the workspace's root
const misspelt = given('SMOKE_MISSPELT'); // a permission string
const repaired = given('SMOKE_REPAIRED'); // what the quick fix makes of it
const source = given('SMOKE_SOURCE'); // registers a tool
const tool = given('SMOKE_TOOL'); // with this string for a name
const renamed = given('SMOKE_RENAMED'); // its new one
const program = given('SMOKE_SERVER');
const python = 'servers/notes/notes_server.py'; // has a misspelt name too
const vsix = given('SMOKE_VSIX'); // the packed extension

const title = `Replace with \`${repaired}\``;
const near = (a, b) => Math.abs(a - b) <= 2;

/** A text in another: line and column of its first letter, from 1. */
function place(text, wanted) {
  const at = text.indexOf(wanted);
  if (at < 0) throw new Error(`no ${wanted} there`);
  return { line: text.slice(0, at).split('\n').length, column: at - text.lastIndexOf('\n', at) };
}

/** A copy of the workspace that a scenario may change. */
function copied(temporary, name) {
  const folder = path.join(temporary, name);
  fs.cpSync(workspace, folder, { recursive: true });
  return folder;
}

const read = (folder, file) => fs.readFileSync(path.join(folder, file), 'utf8');

async function underlined(bench, text) {
  let seen;
  const is = await eventually(async () => {
    seen = await bench.squiggles(text);
    return seen?.here.length === 1 && near(seen.here[0][0], seen.text[0]) && near(seen.here[0][1], seen.text[1]);
  });
  check(`one squiggle under ${text}, from its first letter to its last`, is, seen);
  return seen;
}

/** Opens the menu of actions at the cursor; when findings arrive just after the key, it takes the key again. */
async function actions(bench) {
  const rows = bench.page.locator('.action-widget .monaco-list-row.action');
  for (let times = 0; times < 5 && (await rows.count()) === 0; times++) {
    await bench.press('Control+.');
    await rows.first().waitFor({ timeout: 2000 }).catch(() => {});
  }
  return rows.allInnerTexts();
}

/** A misspelt permission: seen, repaired by keyboard, saved. */
async function repair(temporary) {
  const folder = copied(temporary, 'repair');
  const before = read(folder, settings);
  const { line, column } = place(before, misspelt);
  const bench = await Workbench.open(folder, { file: `${path.join(folder, settings)}:${line}:${column}` });
  try {
    const shown = async () => (await bench.lines()).some((line) => line.includes(`"${misspelt}"`));
    check(`the workbench shows ${path.basename(settings)}`, await eventually(shown), await bench.lines());
    const seen = await underlined(bench, misspelt);
    const ofHosts = () => new Set(servers().map((server) => server.parent)).size;
    check('one server runs', await eventually(() => servers().length === 1 && ofHosts() === 1), servers());
    check('it is the one that the extension brings', !servers().some((server) => server.program === program), servers());

    await bench.press('Control+1'); // The first editor; the cursor is where the file was opened.
    const offered = await actions(bench);
    check(`the menu offers: ${title}`, offered.includes(title), offered);
    await bench.picture('quick-fix');
    const focused = async () => (await bench.page.locator('.action-widget .monaco-list-row.focused').allInnerTexts())[0];
    for (let left = offered.length; left > 0 && (await focused()) !== title; left--) await bench.press('ArrowDown');
    check('the arrow keys reach it', (await focused()) === title, await focused());
    await bench.press('Enter');
    check('the fix changes the entry', await eventually(async () => {
      const now = await bench.lines();
      return !now.some((line) => line.includes(misspelt)) && now.some((line) => line.includes(`"${repaired}"`));
    }), await bench.lines());
    let left;
    check('its squiggle is gone, and no other', await eventually(async () => {
      left = await bench.squiggles(repaired);
      return left?.all === seen.all - 1;
    }), { before: seen, after: left });
    check('the file on disk is as it was', read(folder, settings) === before);
    await bench.press('Control+S');
    const after = before.replace(`"${misspelt}"`, () => `"${repaired}"`);
    check('saved, the entry differs on disk and nothing else', await eventually(() => read(folder, settings) === after),
      read(folder, settings));

    await completion(bench, folder);
    await bench.page.goto('about:blank');
    check('the window left, its process is gone', await eventually(() => servers().length === 0), servers());
  } catch (trouble) {
    await bench.picture('repair-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** A permission string that is begun and completed. */
async function completion(bench, folder) {
  const [server] = repaired.match(/^mcp__.+?__/);
  const { line, column } = place(read(folder, settings), `"${repaired}"`);
  await bench.go(line, column);
  await bench.page.keyboard.type('"');
  await bench.page.keyboard.type(`${server}${repaired.slice(server.length, server.length + 4)}`);
  const rows = '.suggest-widget.visible .monaco-list-row';
  const offered = () => bench.texts(`${rows} .label-name`);
  // As somebody would who sees that nothing is offered yet.
  check('inside a permission string its tools are offered', await eventually(async () => {
    await bench.press('Escape', 'Control+Space');
    return eventually(async () => (await offered()).filter((name) => name.startsWith(server)).length > 1, 3000);
  }), await offered());
  await bench.picture('completion');
  check('and nothing else', (await offered()).every((name) => name.startsWith(server)), await offered());
  await bench.press('Escape', 'Escape', 'Control+Z', 'Control+Z');
}

/** A rename whose preview has a box for the alias. */
async function rename(temporary) {
  const folder = copied(temporary, 'rename');
  const bench = await Workbench.open(folder, { file: path.join(folder, source) });
  try {
    await underlinedInSource(bench);
    const name = 'list_notes';
    const { line, column } = place(read(folder, python), `def ${name}`);
    const end = column + 'def '.length + name.length;
    await bench.click(name, `${path.basename(python)} ${line}:${end}`, `a click on ${name} leads to its definition`);
    await bench.page.mouse.move(700, 200); // Nothing that the mouse rests on is to cover the picture.
    await bench.picture('before-rename');
    await bench.press('F2');
    const box = bench.page.locator('.rename-box input');
    await box.waitFor();
    check('the box holds the name', (await box.inputValue()) === name, await box.inputValue());
    await box.fill('list_titles');
    await bench.picture('rename');
    await bench.press('Enter');

    const preview = bench.page.locator('.bulk-edit-panel');
    const rows = preview.locator('.monaco-list-row');
    const shown = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    check('what changes is shown before', await eventually(async () => (await rows.count()) > 2), await shown());
    const alias = rows.filter({ hasText: /alias/i }).first();
    check('one group is the alias', (await alias.count()) === 1, await shown());
    await bench.picture('rename-preview');
    const ticked = alias.locator('input[type=checkbox]');
    check('its box is not ticked', !(await ticked.isChecked()));
    await ticked.click();
    await bench.picture('rename-alias-ticked');
    await preview.getByRole('button', { name: 'Apply' }).click();
    const code = () => read(folder, python);
    check('the source has the new name and the alias, on disk', await eventually(() =>
      code().includes('"list_titles"') && code().includes(`alias of list_titles`)), code());
    const entries = () => JSON.parse(read(folder, settings)).permissions.allow;
    check('the settings allow both', await eventually(() =>
      ['list_titles', name].every((name) => entries().includes(`mcp__notes__${name}`))), entries());
    await bench.picture('renamed');
  } catch (trouble) {
    await bench.picture('rename-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** A finding in TypeScript and one in Python, beside each other. */
async function underlinedInSource(bench) {
  const some = () => bench.squiggles('add comment');
  check('the name with a space is underlined in TypeScript', await eventually(async () => (await some())?.here.length === 1), await some());
  const [left, right] = (await some()).text;
  const [from, to] = (await some()).here[0];
  check('under that character alone', left < from && to < right && to - from < 12, await some());
  await bench.picture('squiggle-in-source');
  await bench.command('toolnames: Show Tools');
  await bench.row('notes/export').click();
  await bench.at(`${path.basename(python)} 11:23`, 'a click in the view of tools leads to Python');
  const other = () => bench.squiggles('notes/export');
  check('so is one in Python', await eventually(async () => (await other())?.here.length === 1), await other());
}

/** The view of all tools: its rows, and where a click and a key lead. */
async function tools(temporary) {
  const folder = copied(temporary, 'tools');
  const bench = await Workbench.open(folder, { file: path.join(folder, '.mcp.json') });
  try {
    await bench.page.locator('.monaco-editor .view-line').first().waitFor();
    await bench.command('toolnames: Show Tools');
    const rows = () => bench.rows();
    check('the view lists the servers', await eventually(async () => {
      const texts = await rows();
      return ['tickets', 'notes', 'clock'].every((server) => texts.some((text) => text.startsWith(server)));
    }), await rows());
    check('a tool says who denies it', await eventually(async () =>
      (await rows()).some((text) => /delete_note.*denied by Claude Code/.test(text))), await rows());
    await bench.picture('tools');

    const name = 'list_notes';
    const code = read(folder, python);
    const { line, column } = place(code, `def ${name}`);
    const end = column + 'def '.length + name.length;
    await bench.click(name, `notes_server.py ${line}:${end}`, `a click on ${name} leads to its registration`);

    await bench.command('toolnames: Show Tools');
    await bench.page.locator('.pane-body .monaco-list:focus').waitFor();
    const isOpen = () => bench.row(name).getAttribute('aria-expanded');
    if ((await isOpen()) !== 'true') await bench.press('ArrowRight');
    check('the keyboard opens it', await eventually(async () => (await isOpen()) === 'true'), await rows());
    await bench.row('registered').waitFor();
    await bench.press('ArrowDown', 'ArrowDown', 'Enter');
    const entry = place(read(folder, settings), `mcp__notes__${name}`);
    const entryAt = `settings.json ${entry.line}:${entry.column + `mcp__notes__${name}`.length}`;
    await bench.at(entryAt, 'and leads to the entry that permits it');
    await bench.picture('tools-open');

    // Chosen from the palette, renamed with the same preview.
    await bench.command('toolnames: Rename Tool');
    const choices = () => bench.texts('.quick-input-list .monaco-list-row');
    check('tools are offered for a rename', await eventually(async () => (await choices()).some((text) => text.startsWith('write_note'))), await choices());
    await bench.page.keyboard.type('write_note');
    check('what is typed narrows them, too', await eventually(async () => (await choices()).length === 1), await choices());
    await bench.press('Enter');
    const box = bench.page.locator('.quick-input-widget input').first();
    check('its name is to be changed', await eventually(async () => (await box.inputValue()) === 'write_note'), await box.inputValue());
    await bench.page.locator('.quick-input-title', { hasText: 'Rename write_note' }).waitFor();
    await box.fill('save_note');
    await bench.press('Enter');
    const preview = bench.page.locator('.bulk-edit-panel .monaco-list-row');
    check('what changes is shown before it is done', await eventually(async () => (await preview.count()) > 2), await preview.allInnerTexts());
    check('and nothing is written before', !read(folder, python).includes('save_note'));
    await bench.page.locator('.bulk-edit-panel').getByRole('button', { name: 'Discard' }).click();

    // A tool that was not there appears without being asked for.
    fs.writeFileSync(path.join(folder, python), `${code}\n\n@mcp.tool()\ndef shelve_note(title: str) -> None:\n    """Put a note away."""\n`);
    check('a new tool appears', await eventually(async () => (await rows()).some((text) => text.startsWith('shelve_note'))), await rows());

    await bench.command('toolnames: Explain Rule');
    // The palette goes, then the rules are offered; what is typed narrows them down.
    const offered = () => bench.texts('.quick-input-list .monaco-list-row');
    check('rules are offered', await eventually(async () => (await offered()).some((text) => text.includes('name-client-limit'))), await offered());
    await bench.page.keyboard.type('name-chars');
    check('what is typed narrows them down', await eventually(async () => (await offered()).every((text) => text.includes('name-chars'))), await offered());
    await bench.press('Enter');
    check('a rule is explained', await eventually(async () =>
      (await bench.texts('.tab.active .label-name')).some((name) => name.includes('name-chars'))), await bench.texts('.tab .label-name'));

    // Lines above a tool move it; a click goes where it is now.
    await bench.row('notes/export').click();
    await bench.at('notes_server.py 11:23');
    await bench.press('Control+Home', 'Enter', 'Enter');
    await bench.row('search_notes').click();
    const moved = place(code, 'def search_notes');
    const there = `notes_server.py ${moved.line + 2}:${moved.column + 'def search_notes'.length}`;
    await bench.at(there, 'a click goes to where a tool was moved by edits above');
  } catch (trouble) {
    await bench.picture('tools-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** A workspace that names a program of its own: started when people trust the workspace, never before. */
async function restricted(temporary) {
  const folder = copied(temporary, 'restricted');
  const [planted, mark] = [path.join(folder, 'planted.sh'), path.join(temporary, 'planted-was-started')];
  const script = `#!/bin/sh\ntouch '${mark}'\nexec '${program}' "$@"\n`;
  fs.writeFileSync(planted, script, { mode: 0o755 });
  fs.mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'node_modules/.bin/toolnames'), script, { mode: 0o755 });
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'toolnames.path': planted }));
  const bench = await Workbench.open(folder, {
    file: path.join(folder, settings),
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    },
  });
  try {
    await underlined(bench, misspelt);
    const status = await bench.texts('.statusbar-item');
    check('the workspace is not trusted', status.some((text) => text.includes('Restricted Mode')), status);
    check('nothing that it names or holds was started', !fs.existsSync(mark));
    await bench.picture('restricted');
    await bench.command('Workspaces: Manage Workspace Trust');
    await bench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    check('when it is trusted, the program that it names is', await eventually(() => fs.existsSync(mark)));
    check('and again one server runs', await eventually(() => servers().length === 1), servers());
  } catch (trouble) {
    await bench.picture('restricted-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** A program that is no server: it is told where people look, and nothing pops up. */
async function broken(temporary) {
  const folder = copied(temporary, 'broken');
  const bench = await Workbench.open(folder, { file: path.join(folder, settings), settings: { 'toolnames.path': '/bin/true' } });
  try {
    await bench.page.locator('.monaco-editor .view-line').first().waitFor();
    await bench.command('toolnames: Show Tools');
    const welcome = () => bench.texts('.pane-body .welcome-view-content');
    check('the view says that no server runs, and what to do', await eventually(async () =>
      (await welcome()).some((text) => text.includes('is not running') && text.includes('Restart it'))), await welcome());
    const toasts = await bench.texts('.notification-toast');
    check('nothing pops up', toasts.length === 0, toasts);
    await bench.picture('broken');
  } catch (trouble) {
    await bench.picture('broken-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** Two folders, one of which has a convention. */
async function roots(temporary) {
  const server = (name) => [
    'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";',
    `const server = new McpServer({ name: "${name}", version: "1.0.0" });`,
    'server.registerTool("get_thing", { description: "Gets." }, async () => ({ content: [] }));',
    '',
  ].join('\n');
  const manifest = JSON.stringify({ name: 'x', dependencies: { '@modelcontextprotocol/sdk': '^1.0.0' } });
  for (const name of ['kebab', 'plain']) {
    fs.mkdirSync(path.join(temporary, 'roots', name), { recursive: true });
    fs.writeFileSync(path.join(temporary, 'roots', name, `${name}.ts`), server(name));
    fs.writeFileSync(path.join(temporary, 'roots', name, 'package.json'), manifest);
  }
  fs.writeFileSync(path.join(temporary, 'roots', 'kebab', 'toolnames.toml'), '[convention]\ncase = "kebab"\n');
  const file = path.join(temporary, 'roots', 'two.code-workspace');
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: 'kebab' }, { path: 'plain' }] }));
  const bench = await Workbench.open(file, { file: path.join(temporary, 'roots', 'kebab', 'kebab.ts') });
  try {
    const seen = () => bench.squiggles('get_thing');
    check('in one folder the convention holds', await eventually(async () => (await seen())?.here.length === 1), await seen());
    await bench.row('plain.ts').click();
    check('the other file is shown', await eventually(async () => (await bench.cursor()).startsWith('plain.ts')), await bench.cursor());
    check('in the other it does not', await eventually(async () => (await seen())?.here.length === 0), await seen());
    check('one server runs for both', servers().length === 1, servers());
    await bench.command('toolnames: Show Tools');
    const rows = () => bench.rows();
    check('the view has both folders', await eventually(async () => {
      const texts = await rows();
      return ['kebab', 'plain'].every((name) => texts.filter((text) => text.startsWith(name)).length === 2);
    }), await rows());
    await bench.picture('two-folders');

    const [{ pid }] = servers();
    process.kill(Number(pid), 'SIGKILL');
    check('a server that was killed is started again', await eventually(() => {
      const now = servers(); // One look: between two of them it may be gone.
      return now.length === 1 && now[0].pid !== pid;
    }), servers());
    check('and the view has its tools again', await eventually(async () => (await rows()).length > 4), await rows());
    check('without a word', (await bench.texts('.notification-toast')).length === 0, await bench.texts('.notification-toast'));
  } catch (trouble) {
    await bench.picture('roots-trouble');
    throw trouble;
  } finally {
    await bench.close();
  }
}

/** The tests of api.js, inside the extension host. */
async function api(temporary) {
  const folder = copied(temporary, 'api');
  let ended;
  const end = new Promise((resolve) => { ended = resolve; });
  const bench = await Workbench.open(folder, {
    payload: [['extensionDevelopmentPath', installed], ['extensionTestsPath', path.join(import.meta.dirname, 'api.js')]],
    before: async (page) => {
      await page.exposeFunction('codeAutomationExit', (code) => ended(code));
      await page.exposeFunction('codeAutomationLog', (_, words) => {
        for (const line of words.join(' ').split('\n')) {
          if (/^(ok|FAIL) +vscode-api/.test(line)) console.log(line);
          else console.error(line);
        }
      });
    },
  });
  try {
    const code = await Promise.race([end, new Promise((resolve) => setTimeout(() => resolve('no end in sight'), 120_000))]);
    check('the tests in the extension host passed', code === 0, code);
  } finally {
    await bench.close();
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
fs.mkdirSync(pictures, { recursive: true });
const temporary = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toolnames-vscode-')));
let failed = false;
let installed;
try {
  installed = install(vsix, path.join(temporary, 'extensions'));
  const only = process.argv.slice(2);
  for (const scenario of [repair, rename, tools, restricted, broken, roots, api]) {
    if (only.length > 0 && !only.includes(scenario.name)) continue;
    try {
      await scenario(temporary);
    } catch (trouble) {
      failed = true;
      if (trouble instanceof Told) continue;
      console.log(`FAIL  vscode  ${scenario.name} stopped by an error`);
      console.error(trouble);
    }
  }
} finally {
  await end();
  fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
process.exit(failed ? 1 : 0);
