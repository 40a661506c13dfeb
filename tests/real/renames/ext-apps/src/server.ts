import { registerAppTool } from "@modelcontextprotocol/ext-apps/server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const VIEW = { ui: { resourceUri: "ui://notes/view.html" } };
const server = new McpServer({ name: "notes", version: "1.0.0" });

registerAppTool(
  server,
  "read_note",
  { title: "Read note", description: "Reads one. Call `list_notes` first.", inputSchema: { id: z.number() }, _meta: VIEW },
  async ({ id }) => ({ content: [{ type: "text", text: `note ${id}` }] }),
);

async function list() {
  return { content: [{ type: "text" as const, text: "1, 2" }] };
}

registerAppTool(server, "list_notes", { description: "Lists all.", _meta: VIEW }, list);
registerAppTool(
  server,
  'write_note',
  { description: 'Writes one.', inputSchema: { id: z.number(), text: z.string() }, _meta: VIEW },
  async ({ id, text }) => ({ content: [{ type: 'text', text: `${id}: ${text}` }] }),
);

const COUNT = "count_notes";
registerAppTool(server, COUNT, { description: "Counts them.", _meta: VIEW }, async () => ({ content: [{ type: "text", text: "2" }] }));

await server.connect(new StdioServerTransport());
