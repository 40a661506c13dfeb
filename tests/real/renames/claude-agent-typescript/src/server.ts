import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { countNotes } from "./counting.js";

const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

const listNotes = tool("list_notes", "Lists all.", {}, async () => text("1, 2"));

const notes = createSdkMcpServer({
  name: "notes",
  version: "1.0.0",
  tools: [
    tool("read_note", "Reads one.", { id: z.number() }, async ({ id }) => text(`note ${id}`)),
    listNotes,
    tool(
      "write_note",
      "Writes one.",
      { id: z.number(), text: z.string() },
      async (note) => text(`${note.id}: ${note.text}`),
      { annotations: { idempotentHint: true } },
    ),
    countNotes,
  ],
});

await notes.instance.connect(new StdioServerTransport());
