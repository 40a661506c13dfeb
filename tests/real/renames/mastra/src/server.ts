import { createTool } from "@mastra/core/tools";
import { MCPServer } from "@mastra/mcp";
import { z } from "zod";

const readNote = createTool({
  id: "read",
  description: "Reads one.",
  inputSchema: z.object({ id: z.number() }),
  execute: async ({ id }) => ({ text: `note ${id}` }),
});

const everyNote = createTool({ id: "list", description: "Lists all.", inputSchema: z.object({}), execute: async () => ({ text: "1, 2" }) });

async function save(note: { id: number; text: string }) {
  return { text: `${note.id}: ${note.text}` };
}

const writing = {
  note: createTool({
    id: "write",
    description: "Writes one.",
    inputSchema: z.object({ id: z.number(), text: z.string() }),
    execute: save,
  }),
};

const count_notes = createTool({ id: "count", description: "Counts all.", inputSchema: z.object({}), execute: async () => ({ text: "2" }) });

const server = new MCPServer({
  name: "notes",
  version: "1.0.0",
  tools: {
    read_note: readNote,
    list_notes: everyNote,
    write_note: writing.note,
    count_notes,
  },
});

await server.startStdio();
