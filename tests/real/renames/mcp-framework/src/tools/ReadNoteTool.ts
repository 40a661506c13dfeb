import { MCPTool } from "mcp-framework";
import { z } from "zod";

const schema = z.object({ id: z.number().describe("Note id") });

class ReadNoteTool extends MCPTool {
  name = "read_note";
  description = "Reads one. Call `list_notes` first.";
  schema = schema;

  async execute({ id }: z.infer<typeof schema>) {
    return `note ${id}`;
  }
}

export default ReadNoteTool;
