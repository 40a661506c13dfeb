import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function registerPhotoshopTools(server: McpServer): void {
  const answer = async (args: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(args) }] });
  server.registerTool('photoshop_smart_object_replace', { description: 'Puts another image in', inputSchema: { layer: z.string() } }, answer);
  server.registerTool('photoshop_document_manifest', { description: 'Lists the layers', inputSchema: {} }, answer);
  server.registerTool('photoshop_apply_actions', { description: 'Runs recorded actions', inputSchema: {} }, answer);
}
