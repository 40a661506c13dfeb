import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import { z } from "zod";

const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

const server = new McpServer(
  { name: "notes", version: "1.0.0", description: "Notes." },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);

server.tool(
  {
    name: "read_note",
    description: "Reads one.",
    schema: z.object({ id: z.number() }),
  },
  async ({ id }) => text(`note ${id}`),
);

server.tool({ name: "list_notes", description: "Lists all." }, () => text("1, 2"));

server.tool(
  {
    name: "write_note",
    title: "Write note",
    description: "Writes one.",
    schema: z.object({ id: z.number(), text: z.string() }),
  },
  async (note) => text(`${note.id}: ${note.text}`),
);

function count() {
  return text("2");
}

server.tool({ name: "count_notes", description: "Counts all." }, count);

new StdioTransport(server).listen();
