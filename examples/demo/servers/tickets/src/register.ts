import type { McpServer, ToolCallback } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ZodRawShape } from "zod";

const TOOL_PREFIX = "tickets_";

/** The only way onto this server, so that no tool can forget the prefix. */
export function registerTicketTool<Input extends ZodRawShape>(
  server: McpServer,
  name: string,
  config: { description: string; inputSchema: Input },
  run: ToolCallback<Input>,
): void {
  server.registerTool(TOOL_PREFIX + name, config, run);
}

export function reply(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value, null, 2) }] };
}
