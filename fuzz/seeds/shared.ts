import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
export const PREFIX = "a_" as const;
export enum Kind { Read = "read", Write = `write_${PREFIX}` }
const LIMIT = 10;
export const table = { one: "one", ...{ two: "two" }, [Kind.Read]: ["x", "y"] };
export function add(server: McpServer, name: string, ...rest: string[]) {
  server.registerTool(PREFIX + name, { title: "Add", inputSchema: { id: z.string().optional().default("x") } }, run);
  for (const [index, more] of rest.entries()) server.tool(`${PREFIX}${more}`.replace(/-/g, "_"), run);
}
export abstract class Base {
  protected server = new McpServer({ name: "base", version: "1.0.0" });
  init() { this.server.registerTool(this.name(), {}, async ({ id }) => (id ? id : null)); }
  name() { return "of_base"; }
}
