import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { registerToolSafe } from './shared.js';

export function registerSpaceTools(server: McpServer): void {
  registerToolSafe(
    server,
    'list_spaces',
    { title: 'List spaces', description: 'Lists the spaces of a project', inputSchema: {} },
    async () => [],
  );
  registerToolSafe(
    server,
    'get_space',
    { title: 'Get space', description: 'Gets one space', inputSchema: { spaceUuid: z.string() } },
    async ({ spaceUuid }) => ({ spaceUuid }),
  );
  registerToolSafe(
    server,
    'archive_space',
    {
      title: 'Archive space',
      description: 'Takes a space out of sight',
      inputSchema: { spaceUuid: z.string() },
      annotations: { readOnlyHint: false },
    },
    async ({ spaceUuid }) => ({ spaceUuid }),
  );
}
