import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [
    { name: "read_note", description: "Reads one.", inputSchema: { type: "object", properties: { id: { type: "number" } } } },
    { name: "list_notes", description: "Lists all.", inputSchema: { type: "object" } },
    { name: "write_note", description: "Writes one.", inputSchema: { type: "object" } },
    { name: "count_notes", description: "Counts them.", inputSchema: { type: "object" } },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const { name } = request.params;
  if (name === "count_notes") {
    return text("2");
  } else if (name === "write_note") {
    return text("written");
  }
  switch (name) {
    case "read_note":
      return text(`note ${request.params.arguments?.id}`);
    case "list_notes": {
      return text("1, 2");
    }
    default:
      throw new Error(`no tool ${name}`);
  }
});

await server.connect(new StdioServerTransport());
