import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerToolSafe } from './shared.js';

export function registerGroupTools(server: McpServer): void {
  registerToolSafe(
    server,
    'delete_group',
    { title: 'Delete group', description: 'Deletes a group', inputSchema: {} },
    async () => ({}),
  );
  registerToolSafe(
    server,
    'get_group',
    { title: 'Get group', description: 'Gets one group', inputSchema: {}, annotations: { destructiveHint: true } },
    async () => ({}),
  );
  server.registerTool('lightdash_tools__list_groups', { title: 'List groups', description: 'Lists the groups', inputSchema: {} }, async () => ({ content: [] }));
  server.registerTool('get_member', { title: 'Get member', description: 'Gets one member', inputSchema: {} }, async () => ({ content: [] }));
}
