import type { ToolMetadata } from "xmcp";

export const metadata: ToolMetadata = { name: 'count_notes', description: 'Counts them.' };

export default () => "2";
