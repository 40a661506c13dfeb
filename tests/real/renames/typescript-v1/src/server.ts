import { McpServer, type RegisteredTool } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "notes", version: "1.0.0" });

server.registerTool(
  "read_note",
  { title: "Read note", description: "Reads one. Call `list_notes` first.", inputSchema: { id: z.number() } },
  async ({ id }) => ({ content: [{ type: "text", text: `note ${id}` }] }),
);

async function list() {
  return { content: [{ type: "text" as const, text: "1, 2" }] };
}

server.registerTool("list_notes", { description: "Lists all." }, list);

function registerWriting(server: McpServer) {
  const written = server.registerTool(
    'write_note',
    { description: 'Writes one.', inputSchema: { id: z.number(), text: z.string() }, annotations: { destructiveHint: true } },
    async ({ id, text }) => ({ content: [{ type: 'text', text: `${id}: ${text}` }] }),
  );
  written.enable();
}
registerWriting(server);

server.tool("count_notes", "Counts them.", {}, async () => ({ content: [{ type: "text", text: "2" }] }));

function registerMoving(server: McpServer): RegisteredTool {
  return server.registerTool("move_note", { inputSchema: { id: z.number() } }, async ({ id }) => ({
    content: [{ type: "text", text: `moved ${id}` }],
  }));
}
console.error(registerMoving(server).enabled);

const registerSorting = (server: McpServer) =>
  server.registerTool("sort_notes", { description: "Sorts them." }, async () => ({
    content: [{ type: "text", text: "sorted" }],
  }));
console.error(registerSorting(server).enabled);

if (process.env.NOTES !== "untagged") server.registerTool("tag_note", { description: "Tags one." }, list);

await server.connect(new StdioServerTransport());
