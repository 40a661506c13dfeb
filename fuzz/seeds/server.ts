import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ListToolsRequestSchema, CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { add, PREFIX, Kind, table, Base } from "./shared.js";
const server = new McpServer({ name: "s", version: "1.0.0" });
add(server, "one", "two-three", "four");
// toolnames: alias of read_all until 2027-01-01
server.registerTool("read", { description: "Reads.", annotations: { readOnlyHint: true } }, run);
for (const name of ["three", Kind.Write, ...Object.keys(table)]) server.registerTool(name, {}, run);
class Child extends Base { name() { return "of_child"; } }
const TOOLS = [{ name: "bad name", inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] } }];
server.server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS.map(tool => ({ ...tool, name: `${PREFIX}${tool.name}` })) }));
server.server.setRequestHandler(CallToolRequestSchema, async request => {
  switch (request.params.name) {
    case "read": return await client.callTool({ name: "mcp__s__read", arguments: {} });
    default: if (request.params.name === PREFIX + "one") { return null; } throw new Error(`Unknown: ${request.params.name}`);
  }
});
