import { MCPServer, text } from 'mcp-use';
import { z } from 'zod';

const server = new MCPServer({
  name: 'notes',
  version: '1.0.0',
});

server.tool(
  {
    name: 'read_note',
    title: 'Read note',
    description: 'Read one note.',
    inputSchema: z.object({ id: z.number().describe('Note id') }),
    annotations: { readOnlyHint: true },
  },
  async ({ id }) => {
    return { content: [{ type: 'text', text: `note ${id}` }] };
  },
);

server.tool(
  {
    name: 'list_notes',
    description: 'List all notes.',
    annotations: { readOnlyHint: true },
  },
  async () => text('1, 2'),
);

const writeNoteInput = z.object({
  id: z.number(),
  text: z.string(),
});

async function writeNote(input: z.infer<typeof writeNoteInput>) {
  return text(`${input.id}: ${input.text}`);
}

server.tool(
  {
    name: 'write_note',
    description: 'Write one note.',
    inputSchema: writeNoteInput,
    annotations: { destructiveHint: true },
  },
  writeNote,
);

server.tool(
  {
    name: 'count_notes',
    description: 'Count the notes.',
    schema: z.object({ kind: z.string().optional() }),
  },
  async ({ kind }) => text(`2 of ${kind}`),
);

export default server;
