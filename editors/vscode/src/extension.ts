// Where VS Code comes in.

import { commands, type ExtensionContext, window, workspace } from 'vscode';

import { register } from './commands';
import { Session } from './session';
import { createStatus } from './status';
import { createView, Tools } from './tools';

let session: Session | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('toolnames', { log: true });
  const started = new Session(context, log);
  session = started;
  const tools = new Tools(started);
  const status = createStatus();
  const view = createView(tools);
  context.subscriptions.push(log, started, tools, status, view, ...register(started, tools, view));

  status.show(started.health, []);
  context.subscriptions.push(
    started.onDidChangeHealth((health) => {
      status.show(health, tools.known());
      void commands.executeCommand('setContext', 'toolnames.health', health.state);
    }),
    started.onDidChangeTools(async () => status.show(started.health, await tools.refresh())),
    // Another program, other settings: the client that knew the old ones goes too.
    workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    workspace.onDidChangeConfiguration((change) => {
      if (['path', 'config'].some((key) => change.affectsConfiguration(`toolnames.${key}`))) void started.restart();
    }),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
  session = undefined;
}
