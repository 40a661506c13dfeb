export interface Note {
  definition: { name: string; description: string; inputSchema: { type: "object" } };
  run(given: Record<string, unknown>): Promise<string>;
}

const reading = { name: "read_note", description: "Reads one.", inputSchema: { type: "object" as const } };
export const readNote: Note = { definition: reading, run: async ({ id }) => `note ${id}` };

const counting = { name: "count_notes", description: "Counts them.", inputSchema: { type: "object" as const } };
export const countNotes: Note = { definition: counting, run: async () => "2" };
