import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

import { register, text } from "./register.js";

const server = new McpServer({ name: "notes", version: "1.0.0" });

function registerReading(): void {
  register(
    server,
    "read_note",
    { description: "Reads one. Call `notes_list_notes` first.", inputSchema: { id: z.number() } },
    // What is typed here follows from the schema beside it.
    async ({ id }) => text(`note ${id}`),
  );
  register(server, 'list_notes', { description: 'Lists all.', inputSchema: {} }, async () => text("1, 2"));
}

async function count() {
  return text("2");
}

registerReading();
register(server, "write_note", { description: "Writes one.", inputSchema: { id: z.number() } }, async ({ id }) => text(`written ${id}`));
register(server, "count_notes", { description: "Counts them.", inputSchema: {} }, count);

await server.connect(new StdioServerTransport());
