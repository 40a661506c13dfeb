import { createApp, tool, z } from '@cyanheads/mcp-ts-core';
import { readNote } from './tools/read-note.tool.js';

const listNotes = tool('list_notes', {
  description: 'List all notes.',
  annotations: { readOnlyHint: true },
  input: z.object({}),
  output: z.object({ ids: z.string().describe('Ids of the notes') }),
  handler: () => ({ ids: '1, 2' }),
  format: (result) => [{ type: 'text', text: result.ids }],
});

await createApp({
  name: 'notes',
  version: '1.0.0',
  tools: [
    readNote,
    listNotes,
    tool('write_note', {
      description: 'Write one note.',
      annotations: { destructiveHint: true },
      input: z.object({
        id: z.number().describe('Note id'),
        text: z.string().describe('New text'),
      }),
      output: z.object({ saved: z.string().describe('What was saved') }),
      handler: async (input) => ({ saved: `${input.id}: ${input.text}` }),
      format: (result) => [{ type: 'text', text: result.saved }],
    }),
    tool('count_notes', {
      description: 'Count the notes.',
      input: z.object({ kind: z.string().optional().describe('Kind of notes to count') }),
      output: z.object({ count: z.string().describe('How many') }),
      handler: (input) => ({ count: `2 of ${input.kind}` }),
      format: (result) => [{ type: 'text', text: result.count }],
    }),
  ],
});
