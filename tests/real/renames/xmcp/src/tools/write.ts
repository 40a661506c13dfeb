import type { InferSchema, ToolMetadata } from "xmcp";
import { z } from "zod";

const NAME = "write_note";

export const schema = { id: z.number().describe("Note id"), text: z.string().describe("Its text") };

export const metadata: ToolMetadata = { name: NAME, description: "Writes one." };

export default ({ id, text }: InferSchema<typeof schema>) => `${id}: ${text}`;
