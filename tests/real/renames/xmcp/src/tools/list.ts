import type { ToolMetadata } from "xmcp";

export const metadata: ToolMetadata = {
  name: "list_notes",
  description: "Lists all.",
};

export default async function list() {
  return "1, 2";
}
