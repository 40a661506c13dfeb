import { MCPTool } from "mcp-framework";
import { z } from "zod";

export default class ListNotesTool extends MCPTool {
  name = "list_notes";
  description = "Lists all.";
  schema = z.object({});

  async execute() {
    return "1, 2";
  }
}
