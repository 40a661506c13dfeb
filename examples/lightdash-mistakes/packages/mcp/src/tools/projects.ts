import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { registerToolSafe } from './shared.js';

export function registerProjectTools(server: McpServer): void {
  registerToolSafe(
    server,
    'listProjects',
    { title: 'List projects', description: 'Lists the projects of the organization', inputSchema: {} },
    async () => [],
  );
  registerToolSafe(
    server,
    'get_project',
    { description: 'Gets one project', inputSchema: { projectUuid: z.string() } },
    async ({ projectUuid }) => ({ projectUuid }),
  );
}
