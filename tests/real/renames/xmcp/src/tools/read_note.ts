import type { InferSchema, ToolMetadata } from "xmcp";
import { z } from "zod";

export const schema = { id: z.number().describe("Note id") };

export const metadata: ToolMetadata = { name: "read_note", description: "Reads one. Call `list_notes` first." };

export default async function read({ id }: InferSchema<typeof schema>) {
  return `note ${id}`;
}
