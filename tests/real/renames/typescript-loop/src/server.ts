import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "notes", version: "1.0.0" });
const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

async function list() {
  return text("1, 2");
}

export const TOOLS = [
  { name: "read_note", title: "Read note", description: "Reads one. Call `list_notes` first.", run: async () => text("note 1") },
  { name: "list_notes", description: "Lists all.", run: list },
  { name: "write_note", description: "Writes one.", run: async () => text("written") },
  { name: "count_notes", description: "Counts them.", run: async () => text("2") },
];

for (const { name, description, run } of TOOLS) {
  server.registerTool(name, { description }, run);
}

const MORE = {
  move_note: { description: "Moves one.", run: async () => text("moved") },
  "sort-notes": { description: "Sorts them.", run: list },
};

for (const [name, { description, run }] of Object.entries(MORE)) {
  server.registerTool(name, { description }, run);
}

await server.connect(new StdioServerTransport());
