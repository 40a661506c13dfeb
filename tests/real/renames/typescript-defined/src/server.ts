import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { countNotes, readNote } from "./notes.js";

const tools = [readNote, countNotes];

const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map((tool) => tool.definition) }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given } }) => {
  const tool = tools.find((one) => one.definition.name === name);
  if (!tool) throw new Error(`Unknown tool: ${name}`);
  return { content: [{ type: "text", text: await tool.run(given ?? {}) }] };
});

await server.connect(new StdioServerTransport());
