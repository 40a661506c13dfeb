// One server, from its start to its end, and the next one after a restart.

import {
  type Disposable, EventEmitter, type ExtensionContext, type LogOutputChannel, window, workspace, type WorkspaceEdit,
} from 'vscode';
import {
  CloseAction, ErrorAction, type ErrorHandler, LanguageClient, type LanguageClientOptions, type Location, RenameRequest, RequestType0, RevealOutputChannelOn, State, type StaticFeature, type TextDocumentFilter,
} from 'vscode-languageclient/node';

import * as binary from './binary';
import { SHOW_REFERENCES, TOOLS_CHANGED } from './protocol';

/** Languages in which tools are registered or named. */
const LANGUAGES = [
  'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'python', 'rust',
  'json', 'jsonc', 'yaml', 'markdown', 'shellscript', 'makefile',
  // Markdown that VS Code gives to its agents, by the languages that it has for it.
  'prompt', 'instructions', 'chatagent', 'chatmode',
];
/** Files that VS Code may have no language for. */
const PATTERNS = ['**/*.toml', '**/*.mdc', '**/toolnames.lock', '**/.crushrc'];

/** A server that ends more often than this within so many milliseconds is left alone. */
const MOST_ENDS = 4;
const WITHIN = 180_000;

export type Health =
  | { state: 'starting' }
  | { state: 'running'; version: string; binary: binary.Binary }
  | { state: 'stopped' }
  | { state: 'failed'; why: string };

export class Session implements Disposable {
  private readonly healthChanged = new EventEmitter<Health>();
  private readonly toolsChanged = new EventEmitter<void>();
  readonly onDidChangeHealth = this.healthChanged.event;
  readonly onDidChangeTools = this.toolsChanged.event;
  health: Health = { state: 'stopped' };

  private readonly trace: LogOutputChannel;
  private client: LanguageClient | undefined;
  /** Ends when all that was asked for is done: what comes next waits for it. */
  private last: Promise<void> = Promise.resolve();
  /** A restart waits already: another would change nothing. */
  private isQueued = false;

  constructor(private readonly context: ExtensionContext, readonly log: LogOutputChannel) {
    this.trace = window.createOutputChannel('toolnames: messages', { log: true });
  }

  /** Ends the server that runs, if one does, and starts one as the settings are now. */
  restart(): Promise<void> {
    if (this.isQueued) return this.last;
    this.isQueued = true;
    this.last = this.last.then(async () => {
      this.isQueued = false;
      await this.end();
      await this.begin();
    });
    return this.last;
  }

  /** Asks the server what takes no parameters; undefined where none runs. */
  async ask<T>(method: string): Promise<T | undefined> {
    await this.last;
    if (!this.client?.isRunning()) return undefined;
    try {
      return await this.client.sendRequest(new RequestType0<T, void>(method));
    } catch (trouble) {
      this.log.warn(`${method}: ${String(trouble)}`); // It ended meanwhile: what comes next asks again.
      return undefined;
    }
  }

  /**
   * What a rename at a place would change, with what each change is for; undefined where no server runs.
   *
   * @throws the server's reason when it cannot be done
   */
  async rename(at: Location, newName: string): Promise<WorkspaceEdit | undefined> {
    await this.last;
    const client = this.client;
    if (!client?.isRunning()) return undefined;
    const edit = await client.sendRequest(RenameRequest.type, {
      textDocument: { uri: at.uri }, position: at.range.start, newName,
    });
    return client.protocol2CodeConverter.asWorkspaceEdit(edit);
  }

  /** Ends the server; it is gone when this ends. */
  async stop(): Promise<void> {
    this.last = this.last.then(() => this.end());
    await this.last;
  }

  dispose(): void {
    this.healthChanged.dispose();
    this.toolsChanged.dispose();
    this.trace.dispose();
  }

  get converter(): LanguageClient['protocol2CodeConverter'] | undefined {
    return this.client?.protocol2CodeConverter;
  }

  private async begin(): Promise<void> {
    this.become({ state: 'starting' });
    try {
      const found = binary.find(this.context);
      await binary.check(found);
      this.log.info(`starting ${found.path} (${found.found})`);
      this.client = this.build(found);
      await this.client.start();
      const version = this.client.initializeResult?.serverInfo?.version ?? '';
      this.become({ state: 'running', version, binary: found });
      this.toolsChanged.fire();
    } catch (trouble) {
      const why = trouble instanceof Error ? trouble.message : String(trouble);
      this.log.error(why);
      await this.end();
      this.become({ state: 'failed', why });
      this.toolsChanged.fire();
    }
  }

  private build(found: binary.Binary): LanguageClient {
    const settings = workspace.getConfiguration('toolnames');
    const options: LanguageClientOptions = {
      documentSelector: selector(),
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      // Trouble is told by the status item and goes into the log; nothing pops up that nobody asked for.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // A start that fails is told by the status item too.
      initializationFailedHandler: () => false,
      errorHandler: patience(() => this.client === client && this.health.state === 'running'),
      initializationOptions: { config: settings.get<string>('config') ?? '' },
    };
    const run = { command: found.path, args: ['server'] };
    const client: LanguageClient = new LanguageClient('toolnames', 'toolnames', run, options);
    client.registerFeature(WHAT_WE_CAN);
    client.onNotification(TOOLS_CHANGED, () => this.toolsChanged.fire());
    client.onDidChangeState(({ oldState, newState }) => {
      // It ended by itself. The client starts it again, unless it did so too often.
      if (this.client === client && oldState === State.Running && newState === State.Stopped) {
        this.become({ state: 'failed', why: 'The server ended unexpectedly.' });
        this.toolsChanged.fire();
      } else if (this.client === client && newState === State.Running && this.health.state === 'failed') {
        this.become({ state: 'running', version: client.initializeResult?.serverInfo?.version ?? '', binary: found });
        this.toolsChanged.fire();
      }
    });
    return client;
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (!client) return;
    try {
      await client.dispose();
    } catch (trouble) {
      this.log.warn(`the server did not end well: ${String(trouble)}`);
    }
    this.become({ state: 'stopped' });
  }

  private become(health: Health): void {
    this.health = health;
    this.healthChanged.fire(health);
  }
}

function selector(): TextDocumentFilter[] {
  const schemes = ['file', 'untitled'];
  return schemes.flatMap((scheme) => [
    ...LANGUAGES.map((language) => ({ scheme, language })),
    ...PATTERNS.map((pattern) => ({ scheme, pattern })),
  ]);
}

/** A server that was wanted and ended by itself is started again, unless it does so time and again; nothing pops up. */
function patience(isWanted: () => boolean): ErrorHandler {
  const ends: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      ends.push(Date.now());
      const isTooOften = ends.length > MOST_ENDS && Date.now() - (ends.at(-MOST_ENDS - 1) ?? 0) < WITHIN;
      return { action: isWanted() && !isTooOften ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
    },
  };
}

/** Says to the server what this client can do beyond the protocol. */
const WHAT_WE_CAN: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      commands: { commands: [SHOW_REFERENCES] },
      toolsChanged: true,
    };
  },
  initialize() {},
  getState: () => ({ kind: 'static' }),
  clear() {},
};
