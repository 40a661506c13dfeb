// The item behind `{}` in the status bar: what the server is, or why there is none.

import { type Disposable, languages, LanguageStatusSeverity } from 'vscode';

import type { Folder } from './protocol';
import type { Health } from './session';

export interface Status extends Disposable {
  show(health: Health, folders: Folder[]): void;
}

export function createStatus(): Status {
  // No selector is narrow enough to be right and wide enough to be found: trouble is told whatever file is open.
  const item = languages.createLanguageStatusItem('toolnames', { scheme: 'file' });
  item.name = 'toolnames';
  return {
    show(health, folders) {
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
          item.detail = summary(folders);
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

/** How many tools there are, in how many servers, and how many servers have tools that are not known. */
export function summary(folders: Folder[]): string {
  const servers = folders.flatMap((folder) => folder.servers);
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  const unknown = folders.flatMap((folder) => folder.notKnown);
  const known = `${counted(tools, 'tool')} in ${counted(servers.length, 'server')}`;
  return unknown.length === 0 ? known : `${known}; not known: the tools of ${unknown.join(', ')}`;
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
