import { MCPTool } from "mcp-framework";
import { z } from "zod";
import { WRITE } from "../names.js";

const schema = z.object({ id: z.number().describe("Note id"), text: z.string().describe("Its text") });

export default class WriteNoteTool extends MCPTool {
  name = WRITE;
  description = "Writes one.";
  schema = schema;

  async execute({ id, text }: z.infer<typeof schema>) {
    return `${id}: ${text}`;
  }
}
