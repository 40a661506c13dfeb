import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** The adapters of the generating tools: the tool's name is the contract, the SDK's method the detail. */
export function registerGenerateTools(server: McpServer): void {
  const answer = async (args: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(args) }] });
  server.registerTool('firefly_generate_image', { description: 'Makes an image', inputSchema: { prompt: z.string() } }, answer);
  server.registerTool('firefly_generate_similar', { description: 'Makes more like it', inputSchema: { image: z.string() } }, answer);
  server.registerTool('firefly_expand_image', { description: 'Goes on at the edges', inputSchema: { image: z.string() } }, answer);
  server.registerTool('firefly_upload_image', { description: 'Keeps an image', inputSchema: { image: z.string() } }, answer);
  server.registerTool('firefly_check_auth', { description: 'Says who is signed in', inputSchema: {} }, answer);
}
