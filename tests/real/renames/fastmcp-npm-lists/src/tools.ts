import { z } from 'zod';

const noteParameters = z.object({
  id: z.number(),
  text: z.string(),
});

async function writeNote({ id, text }: z.infer<typeof noteParameters>) {
  return `${id}: ${text}`;
}

export const writeTools = [
  {
    name: 'write_note',
    description: 'Write one note.',
    annotations: { destructiveHint: true },
    parameters: noteParameters,
    execute: writeNote,
  },
];

export const countNotes = {
  name: 'count_notes',
  description: 'Count the notes.',
  parameters: z.object({ kind: z.string().optional() }),
  execute: async (args: { kind?: string | undefined }) => {
    return `2 of ${args.kind}`;
  },
};
