import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "notes", version: "1.0.0" });

server.registerTool(
  "read_note",
  { title: "Read note", description: "Reads one.", inputSchema: z.object({ id: z.number() }) },
  async ({ id }) => ({ content: [{ type: "text", text: `note ${id}` }] }),
);

async function list() {
  return { content: [{ type: "text" as const, text: "1, 2" }] };
}

server.registerTool("list_notes", { description: "Lists all." }, list);

server.registerTool("write_note", { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
  content: [{ type: "text", text }],
}));

server.registerTool("count_notes", {}, async () => ({ content: [{ type: "text", text: "2" }] }));

await server.connect(new StdioServerTransport());
