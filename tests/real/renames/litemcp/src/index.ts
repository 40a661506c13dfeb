import { LiteMCP } from 'litemcp';
import { z } from 'zod';

const server = new LiteMCP('notes', '1.0.0');

server.addTool({
  name: 'read_note',
  description: 'Read one note.',
  parameters: z.object({
    id: z.number(),
  }),
  execute: async (args) => {
    return `note ${args.id}`;
  },
});

server.addTool({
  name: 'list_notes',
  description: 'List all notes.',
  parameters: z.object({}),
  execute: async () => '1, 2',
});

async function writeNote({ id, text }: { id: number; text: string }) {
  return `${id}: ${text}`;
}

server.addTool({
  name: 'write_note',
  description: 'Write one note.',
  parameters: z.object({ id: z.number(), text: z.string() }),
  execute: writeNote,
});

const countNotes = {
  name: 'count_notes',
  description: 'Count the notes.',
  parameters: z.object({ kind: z.string().optional() }),
  execute: async ({ kind }: { kind?: string }) => `2 of ${kind}`,
};

server.addTool(countNotes);

server.start();
