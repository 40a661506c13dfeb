import { MCPTool } from "mcp-framework";
import { z } from "zod";

async function count() {
  return "2";
}

export default class CountNotesTool extends MCPTool {
  name = "count_notes";
  description = "Counts them.";
  schema = z.object({});
  execute = count;
}
