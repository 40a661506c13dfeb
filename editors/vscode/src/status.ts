// The item behind `{}` in the status bar: what the server is, or why there is none.

import { type Disposable, languages, LanguageStatusSeverity } from 'vscode';

import type { Server } from './protocol';
import type { Health } from './session';

export interface Status extends Disposable {
  show(health: Health, servers: Server[]): void;
}

export function createStatus(): Status {
  // No selector is narrow enough to be right and wide enough to be found: trouble is told whatever file is open.
  const item = languages.createLanguageStatusItem('toolnames', { scheme: 'file' });
  item.name = 'toolnames';
  return {
    show(health, servers) {
      item.busy = health.state === 'starting';
      item.severity = health.state === 'failed' ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
      item.command = health.state === 'failed'
        ? { title: 'Open the log', command: 'toolnames.showLog', tooltip: 'run “toolnames: Restart Server” to restart it' }
        : { title: 'Show tools', command: 'toolnames.showTools' };
      switch (health.state) {
        case 'starting':
          item.text = 'toolnames';
          item.detail = 'starting';
          break;
        case 'running':
          item.text = `toolnames ${health.version}`;
          item.detail = summary(servers);
          break;
        case 'stopped':
          item.text = 'toolnames';
          item.detail = 'stopped';
          break;
        case 'failed':
          item.text = 'toolnames is not running';
          item.detail = health.why;
          break;
      }
    },
    dispose: () => item.dispose(),
  };
}

/** How many tools there are, in how many servers. */
export function summary(servers: Server[]): string {
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  return `${counted(tools, 'tool')} in ${counted(servers.length, 'server')}`;
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
