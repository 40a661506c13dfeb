import type { McpServer, ToolCallback } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ZodRawShape } from "zod";

const PREFIX = "notes_";

/** The only way onto this server, so that no tool can forget the prefix. */
export function register<Input extends ZodRawShape>(
  server: McpServer,
  name: string,
  config: { description: string; inputSchema: Input },
  run: ToolCallback<Input>,
): void {
  server.registerTool(PREFIX + name, config, run);
}

export const text = (text: string) => ({ content: [{ type: "text" as const, text }] });
