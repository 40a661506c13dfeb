import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ZodRawShape } from 'zod';

export const TOOL_PREFIX = 'lightdash_tools__';

export interface ToolOptions {
  description: string;
  inputSchema: ZodRawShape;
  title?: string;
  annotations?: {
    title?: string;
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

const DEFAULT_ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };

type Handler = (args: Record<string, unknown>) => Promise<unknown>;

/** Registers a tool under the project's prefix; call sites pass the short name. */
export function registerToolSafe(server: McpServer, shortName: string, options: ToolOptions, handler: Handler): void {
  const name = TOOL_PREFIX + shortName;
  const annotations = { ...DEFAULT_ANNOTATIONS, ...options.annotations };
  const { description, inputSchema, title } = options;
  server.registerTool(name, { description, inputSchema, title, annotations }, async (args) => {
    try {
      return { content: [{ type: 'text' as const, text: JSON.stringify(await handler(args)) }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text' as const, text: String(error) }] };
    }
  });
}
