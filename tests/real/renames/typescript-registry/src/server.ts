import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

type Arguments = Record<string, unknown>;
type Handler = (given: Arguments) => Promise<string>;

const readNote: Handler = async ({ id }) => `note ${id}`;
async function list_notes() {
  return "1, 2";
}
const others = { count: async () => "2" };

const TOOLS = [
  { name: "read_note", description: "Reads one.", inputSchema: { type: "object", properties: { id: { type: "number" } } } },
  { name: "list_notes", description: "Lists all.", inputSchema: { type: "object" } },
  { name: "count_notes", description: "Counts them.", inputSchema: { type: "object" } },
  { name: "write_note", description: "Writes one.", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
] as const;

// Some are there from the start, the others come.
const handlers = new Map<string, Handler>([
  ["read_note", readNote],
  ["list_notes", list_notes],
]);
handlers.set("count_notes", others.count);
handlers.set("write_note", async ({ text }) => `wrote ${text}`);

const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [...TOOLS] }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const handler = handlers.get(request.params.name);
  if (!handler) throw new Error(`Unknown tool: ${request.params.name}`);
  return { content: [{ type: "text", text: await handler(request.params.arguments ?? {}) }] };
});

await server.connect(new StdioServerTransport());
