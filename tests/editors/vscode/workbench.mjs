// VS Code's real workbench and extension host, driven through a browser without a window: starting one, looking at it, and
// saying how checks went.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export const given = (variable) => {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
};

const cache = given('EDITORS_CACHE'); // what setup.sh filled
export const pictures = given('SMOKE_PICTURES'); // the folder for screenshots
const { chromium } = createRequire(path.join(cache, 'playwright', 'index.js'))('playwright-core');
const PATIENCE = 20_000; // milliseconds

const began = Date.now();

/** An end that a line was printed for. */
export class Told extends Error {}

/** Says how a check went. What follows a failed one would fail too, so that is the end of its scenario. */
export function check(what, passed, found) {
  const seconds = ((Date.now() - began) / 1000).toFixed(2).padStart(5);
  console.log(`${passed ? 'ok  ' : 'FAIL'}  vscode  ${seconds}s  ${what}`);
  if (passed) return;
  if (found !== undefined) console.error(`${what}: found ${JSON.stringify(found, null, 2)}`);
  throw new Told();
}

/** Asks again until the answer is true, or patience ends; the last answer. */
export async function eventually(question, patience = PATIENCE) {
  for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await question();
    if (answer || Date.now() > end) return answer;
  }
}

/** The folder that the extension is installed in, with the server that it brings. */
let extensions;

/** Installs a packed extension for every workbench that is opened from now on. */
export function install(vsix, folder) {
  extensions = folder;
  execFileSync(process.execPath, [
    path.join(cache, 'vscode', 'out', 'server-main.js'),
    '--server-data-dir', path.join(folder, '..', 'installing'), '--extensions-dir', folder, '--install-extension', vsix,
  ], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [name] = fs.readdirSync(folder).filter((name) => name.startsWith('toolnames.'));
  return path.join(folder, name);
}

/** The processes of servers that this test started: what the kernel says of each, with the command of its parent. */
export function servers() {
  const words = (pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).flatMap((pid) => {
    try {
      const program = fs.readlinkSync(`/proc/${pid}/exe`);
      const isOurs = program.startsWith(`${extensions}/`) || program === fs.realpathSync(given('SMOKE_SERVER'));
      if (!isOurs) return [];
      const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
      const parent = status.match(/^PPid:\s*(\d+)/m)[1];
      return [{ pid, program, state: status.match(/^State:\s*(.*)/m)[1], command: words(pid), parent, started_by: words(parent) }];
    } catch {
      return []; // It ended, or is not ours to see.
    }
  });
}

let browser;

export async function end() {
  await browser?.close();
}

/** One workbench, with its server side and its page. */
export class Workbench {
  /**
   * Opens a folder or a `.code-workspace` file.
   *
   * `file`, as `path` or `path:line:column`, is shown; `settings` are the user's; `payload` goes to the page.
   */
  static async open(where, { file, settings = {}, payload = [], before } = {}) {
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'workbench-'));
    const bench = new Workbench();
    bench.temporary = temporary;
    const user = path.join(temporary, 'data', 'User');
    fs.mkdirSync(user, { recursive: true });
    fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({
      'security.workspace.trust.enabled': false,
      'workbench.startupEditor': 'none',
      'workbench.tips.enabled': false,
      'editor.minimap.enabled': false,
      'editor.fontFamily': 'DejaVu Sans Mono',
      'editor.wordBasedSuggestions': 'off',
      'files.autoSave': 'off',
      'extensions.autoCheckUpdates': false,
      'extensions.autoUpdate': false,
      'update.mode': 'none',
      'telemetry.telemetryLevel': 'off',
      ...settings,
    }));
    bench.code = spawn(process.execPath, [
      path.join(cache, 'vscode', 'out', 'server-main.js'),
      '--host', '127.0.0.1', '--port', '0',
      '--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off', '--enable-smoke-test-driver',
      '--server-data-dir', temporary, '--extensions-dir', extensions,
    ], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => bench.#signal('SIGKILL'));
    let said = '';
    for (const stream of [bench.code.stdout, bench.code.stderr]) stream.on('data', (text) => { said += text; });
    const port = await eventually(() => said.match(/listening on (\d+)/)?.[1]);
    if (!port) throw new Error(`VS Code's server did not start: ${said}`);
    bench.host = `127.0.0.1:${port}`;

    browser ??= await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    bench.page = await browser.newPage({
      viewport: { width: 1200, height: 800 },
      deviceScaleFactor: Number(process.env.SMOKE_SCALE ?? 1), // Sharper pictures take their time.
    });
    await before?.(bench.page);
    const opened = file ? [['gotoLineMode', 'true'], ['openFile', `vscode-remote://${bench.host}${file}`]] : [];
    const kind = where.endsWith('.code-workspace') ? 'workspace' : 'folder';
    const all = [...opened, ...payload.map(([key, file]) => [key, `vscode-remote://${bench.host}${file}`])];
    const query = new URLSearchParams({ [kind]: where, payload: JSON.stringify(all) });
    await bench.page.goto(`http://${bench.host}/?${query}`);
    return bench;
  }

  #signal(signal) {
    try {
      process.kill(-this.code.pid, signal);
    } catch {
      // Nothing of it is left.
    }
  }

  async close() {
    await this.page.close();
    this.#signal('SIGTERM');
    await eventually(() => this.code.exitCode !== null || this.code.signalCode !== null);
    fs.rmSync(this.temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  picture(name) {
    return this.page.screenshot({ path: path.join(pictures, `vscode-${name}.png`) });
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Runs a command by its name in the palette. */
  async command(title) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    await this.asking('F1', async () => {
      await this.page.keyboard.type(title);
      return row.waitFor({ timeout: 3000 }).then(() => true, () => false);
    });
    await this.press('Enter');
  }

  /** Opens a box by a key until it takes what is typed: while the workbench starts, what comes later takes the focus from it. */
  async asking(key, typed) {
    for (let times = 0; times < 6; times++) {
      await this.press('Escape', key);
      if (await typed()) return;
    }
    throw new Error(`${key} opens nothing that takes what is typed`);
  }

  /** Goes to a line and column, from 1, of what is edited. */
  async go(line, column) {
    const box = this.page.locator('.quick-input-widget input').first();
    await this.asking('Control+G', async () => {
      if (!(await box.waitFor({ timeout: 3000 }).then(() => true, () => false))) return false;
      await this.page.keyboard.type(`${line}:${column}`);
      await this.press('Enter');
      return eventually(() => this.isAt(`${line}:${column}`), 3000);
    });
    await this.at(`${line}:${column}`);
  }

  /** Holds that the cursor comes to be there: `3:7`, or `tools.ts 3:7`. */
  async at(wanted, what = `the cursor is at ${wanted}`) {
    check(what, await eventually(() => this.isAt(wanted)), { wanted, found: await this.cursor() });
  }

  async isAt(wanted) {
    return ` ${await this.cursor()}`.endsWith(` ${wanted}`);
  }

  /** A row of the view at the side that begins with a text. */
  row(text) {
    return this.page.locator('.pane-body .monaco-list-row').filter({ hasText: new RegExp(`^\\s*${text}`) }).first();
  }

  /** Clicks a row until the cursor is at a place: a click is lost while VS Code draws a view anew. */
  async click(text, wanted, what) {
    let next = 0;
    const isThere = async () => {
      if (await this.isAt(wanted)) return true;
      if (Date.now() >= next) {
        next = Date.now() + PATIENCE / 4;
        await this.row(text).click();
      }
      return false;
    };
    check(what, await eventually(isThere), { wanted, found: await this.cursor() });
  }

  rows() {
    return this.texts('.pane-body .monaco-list-row');
  }

  /** The file that is edited and where the cursor stands in it: `tools.ts 3:7`. */
  async cursor() {
    const tab = await this.page.locator('.tab.active .label-name').first().innerText().catch(() => '');
    const at = await this.page.locator('#status\\.editor\\.selection').innerText().catch(() => '');
    return `${tab} ${at.replace(/^Ln (\d+), Col (\d+).*$/s, '$1:$2')}`;
  }

  /** What is edited, line by line as far as it is on the screen. */
  lines() {
    return this.page.$$eval('.monaco-editor .view-line', (lines) =>
      lines.map((line) => line.textContent.replaceAll('\u00a0', ' ').trim()));
  }

  /** The texts of what a selector finds, in one line each. */
  async texts(selector) {
    return (await this.page.locator(selector).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** Where a text stands on the screen and the squiggles in its line, as [left, right] in pixels; how many there are. */
  squiggles(text) {
    return this.page.evaluate((text) => {
      const lines = [...document.querySelectorAll('.monaco-editor .view-line')];
      const plain = (line) => line.textContent.replaceAll('\u00a0', ' ');
      const line = lines.find((line) => plain(line).includes(text));
      if (!line) return undefined;
      const place = document.createRange();
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      let [passed, from] = [0, plain(line).indexOf(text)];
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
    }, text);
  }
}
