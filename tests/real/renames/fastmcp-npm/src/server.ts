import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "notes", version: "1.0.0" });

server.addTool({
  name: "read_note",
  description: "Reads one. Call `list_notes` first.",
  parameters: z.object({ id: z.number() }),
  execute: async (args) => `note ${args.id.toFixed()}`,
});

async function list() {
  return "1, 2";
}

server.addTool({ name: "list_notes", description: "Lists all.", execute: list });

function registerWriting(server: FastMCP) {
  server.addTool({
    name: 'write_note',
    annotations: { destructiveHint: true },
    parameters: z.object({ id: z.number(), text: z.string() }),
    execute: async ({ id, text }) => `${id}: ${text}`
  });
}
registerWriting(server);

server.addTool({ name: "count_notes", description: "Counts them.", execute: async () => "2" });

await server.start({ transportType: "stdio" });
