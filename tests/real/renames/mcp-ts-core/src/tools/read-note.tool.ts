import { tool, z } from '@cyanheads/mcp-ts-core';

export const readNote = tool('read_note', {
  description: 'Read one note.',
  annotations: { readOnlyHint: true },
  input: z.object({ id: z.number().describe('Note id') }),
  output: z.object({ text: z.string().describe('Text of the note') }),
  async handler(input) {
    return { text: `note ${input.id}` };
  },
  format: (result) => [{ type: 'text', text: result.text }],
});
