// The language server in VS Code: the real workbench and extension host, driven through a browser without a window.
// A squiggle, the quick fix by keyboard, the bytes on disk, a clean end. run.sh starts this with these variables:

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const given = (variable) => {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
};

const workspace = given('SMOKE_WORKSPACE'); // copied before anything is changed
const settings = given('SMOKE_SETTINGS'); // the file with the misspelt entry, from the workspace's root
const misspelt = given('SMOKE_MISSPELT'); // a permission string
const repaired = given('SMOKE_REPAIRED'); // what the quick fix makes of it
const server = given('SMOKE_SERVER'); // the program; no other process may run it meanwhile
const cache = given('EDITORS_CACHE'); // what setup.sh filled
const pictures = given('SMOKE_PICTURES'); // the folder for screenshots
const title = `Replace by \`${repaired}\``;

const PATIENCE = 20_000; // milliseconds
const { chromium } = createRequire(path.join(cache, 'playwright', 'index.js'))('playwright-core');

const began = Date.now();
let failed = false;

/** Says how a check went. What follows a failed one would fail too, so that is the end. */
function check(what, passed, found) {
  const seconds = ((Date.now() - began) / 1000).toFixed(2).padStart(5);
  console.log(`${passed ? 'ok  ' : 'FAIL'}  vscode  ${seconds}s  ${what}`);
  if (passed) return;
  failed = true;
  if (found !== undefined) console.error(`${what}: found ${JSON.stringify(found, null, 2)}`);
  throw new Told();
}

/** An end that a line was printed for. */
class Told extends Error {}

/** Asks again until the answer is true, or patience ends; the last answer. */
async function eventually(question) {
  for (const end = Date.now() + PATIENCE; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await question();
    if (answer || Date.now() > end) return answer;
  }
}

/** The processes that run the server. */
function servers() {
  const program = fs.realpathSync(server);
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`) === program;
    } catch {
      return false; // It ended, or is not ours to see.
    }
  });
}

/** VS Code's server in a process group of its own, and its address. */
async function startCode(data) {
  const user = path.join(data, 'data', 'User');
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({
    'toolnames.path': server,
    'security.workspace.trust.enabled': false,
    'workbench.startupEditor': 'none',
    'editor.minimap.enabled': false,
    'editor.fontFamily': 'DejaVu Sans Mono',
    'files.autoSave': 'off',
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'update.mode': 'none',
    'telemetry.telemetryLevel': 'off',
  }));
  const code = spawn(process.execPath, [
    path.join(cache, 'vscode', 'out', 'server-main.js'),
    '--host', '127.0.0.1', '--port', '0',
    '--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off',
    '--server-data-dir', data, '--extensions-dir', path.join(cache, 'extension', 'installed'),
  ], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => stopCode(code, 'SIGKILL'));
  let said = '';
  for (const stream of [code.stdout, code.stderr]) stream.on('data', (text) => { said += text; });
  const port = await eventually(() => said.match(/listening on (\d+)/)?.[1]);
  if (!port) throw new Error(`VS Code's server did not start: ${said}`);
  return { code, host: `127.0.0.1:${port}` };
}

function stopCode(code, signal) {
  try {
    process.kill(-code.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

/** Where a text stands on the screen and the squiggles in its line, as [left, right] in pixels; how many there are. */
function squiggles(text) {
  const line = [...document.querySelectorAll('.monaco-editor .view-line')].find((line) => line.textContent.includes(text));
  if (!line) return undefined;
  const place = document.createRange();
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let [passed, from] = [0, line.textContent.indexOf(text)];
  for (let node = walker.nextNode(); node; passed += node.length, node = walker.nextNode()) {
    const [start, end] = [from - passed, from + text.length - passed];
    if (start >= 0 && start < node.length) place.setStart(node, start);
    if (end > 0 && end <= node.length) place.setEnd(node, end);
  }
  const sides = (box) => [Math.round(box.left), Math.round(box.right)];
  const row = line.getBoundingClientRect();
  const middle = (row.top + row.bottom) / 2;
  const drawn = ['error', 'warning', 'info'].map((severity) => `.monaco-editor .view-overlays .squiggly-${severity}`);
  const all = [...document.querySelectorAll(drawn.join())].map((squiggle) => squiggle.getBoundingClientRect());
  const here = all.filter((box) => box.top <= middle && middle <= box.bottom);
  return { text: sides(place.getBoundingClientRect()), here: here.map(sides), all: all.length };
}

const lines = (page) => page.$$eval('.monaco-editor .view-line', (lines) =>
  lines.map((line) => line.textContent.replaceAll('\u00a0', ' ').trim()));

/** The misspelt entry in the text of the settings: line and column of its first letter, from 1. */
function place(text) {
  const at = text.indexOf(`"${misspelt}"`) + 1;
  if (at === 0) throw new Error(`no "${misspelt}" in ${settings}`);
  return { line: text.slice(0, at).split('\n').length, column: at - text.lastIndexOf('\n', at) };
}

async function repair(page, file) {
  const before = fs.readFileSync(file, 'utf8');
  const picture = (name) => page.screenshot({ path: path.join(pictures, `vscode-${name}.png`) });
  const near = (a, b) => Math.abs(a - b) <= 2;

  check(`the workbench shows ${path.basename(settings)}`, await eventually(async () =>
    (await lines(page)).some((line) => line.includes(`"${misspelt}"`))), await lines(page));
  let seen;
  check(`one squiggle under ${misspelt}, from its first letter to its last`, await eventually(async () => {
    seen = await page.evaluate(squiggles, misspelt);
    return seen?.here.length === 1 && near(seen.here[0][0], seen.text[0]) && near(seen.here[0][1], seen.text[1]);
  }), seen);
  check('one server runs', servers().length === 1, servers());

  await page.keyboard.press('Control+1'); // The first editor; the cursor is where the file was opened.
  // When findings arrive just after the key, VS Code says that there are no actions: then it takes the key again.
  const rows = page.locator('.action-widget .monaco-list-row.action');
  for (let times = 0; times < 5 && (await rows.count()) === 0; times++) {
    await page.keyboard.press('Control+.');
    await rows.first().waitFor({ timeout: 2000 }).catch(() => {});
  }
  const offered = await rows.allInnerTexts();
  check(`the menu offers: ${title}`, offered.includes(title), offered);
  await picture('quick-fix');
  const focused = async () => (await page.locator('.action-widget .monaco-list-row.focused').allInnerTexts())[0];
  for (let left = offered.length; left > 0 && (await focused()) !== title; left--) {
    await page.keyboard.press('ArrowDown');
  }
  check('the arrow keys reach it', (await focused()) === title, await focused());
  await page.keyboard.press('Enter');

  check('the fix changes the entry', await eventually(async () => {
    const now = await lines(page);
    return !now.some((line) => line.includes(misspelt)) && now.some((line) => line.includes(`"${repaired}"`));
  }), await lines(page));
  let left;
  check('its squiggle is gone, and no other', await eventually(async () => {
    left = await page.evaluate(squiggles, repaired);
    return left?.all === seen.all - 1;
  }), { before: seen, after: left });
  check('the file on disk is as it was', fs.readFileSync(file, 'utf8') === before);
  await page.keyboard.press('Control+S');
  const after = before.replace(`"${misspelt}"`, () => `"${repaired}"`);
  check('saved, the entry differs on disk and nothing else', await eventually(() =>
    fs.readFileSync(file, 'utf8') === after), fs.readFileSync(file, 'utf8'));
  await picture('repaired');
}

async function smoke(temporary) {
  const folder = path.join(temporary, 'workspace');
  const file = path.join(folder, settings);
  fs.cpSync(workspace, folder, { recursive: true });
  fs.mkdirSync(pictures, { recursive: true });
  const { code, host } = await startCode(path.join(temporary, 'data'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    const { line, column } = place(fs.readFileSync(file, 'utf8'));
    const open = [['gotoLineMode', 'true'], ['openFile', `vscode-remote://${host}${file}:${line}:${column + 1}`]];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(open) });
    await page.goto(`http://${host}/?${query}`);
    try {
      await repair(page, file);
    } catch (trouble) {
      await page.screenshot({ path: path.join(pictures, 'vscode-trouble.png') });
      throw trouble;
    }
    await page.goto('about:blank');
    check('the window left, its process is gone', await eventually(() => servers().length === 0), servers());
  } finally {
    await browser.close();
    stopCode(code, 'SIGTERM');
    await eventually(() => code.exitCode !== null || code.signalCode !== null);
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'toolnames-vscode-'));
try {
  await smoke(temporary);
} catch (trouble) {
  if (!(trouble instanceof Told)) {
    console.log('FAIL  vscode  stopped by an error');
    console.error(trouble);
  }
  failed = true;
} finally {
  fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
process.exit(failed ? 1 : 0);
