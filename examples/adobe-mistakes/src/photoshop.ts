import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function registerPhotoshopTools(server: McpServer): void {
  const answer = async (args: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(args) }] });
  server.registerTool('psd_replace_smart_object', { description: 'Puts another image in', inputSchema: { layer: z.string() } }, answer);
  server.registerTool('photoshop_replace', { description: 'Lists the layers', inputSchema: {} }, answer);
  server.registerTool('photoshp_apply_actions', { description: 'Runs recorded actions', inputSchema: {} }, answer);
}
