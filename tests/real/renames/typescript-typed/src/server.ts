import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

// What the tools are called, as a type, as a list and as a schema.
type ToolName =
  | "read_note"
  | "list_notes"
  | "count_notes"
  | "write_note";
const NAMES = ["read_note", "list_notes", "count_notes", "write_note"] as const satisfies readonly ToolName[];
const Name = z.enum(["read_note", "list_notes", "count_notes", "write_note"]);
const READ_ONLY: ReadonlySet<ToolName> = new Set<ToolName>(["read_note", "list_notes", "count_notes"]);

type Handler = (given: Record<string, unknown>) => string;
const readNote: Handler = ({ id }) => `note ${id}`;
const listNotes: Handler = () => "1, 2";
const countNotes: Handler = () => "2";
const writeNote: Handler = ({ text }) => `wrote ${text}`;

const TOOLS: (Tool & { name: ToolName })[] = [
  { name: "read_note", description: "Reads one.", inputSchema: { type: "object", properties: { id: { type: "number" } } } },
  { name: "list_notes", description: "Lists all.", inputSchema: { type: "object" } },
  { name: "count_notes", description: "Counts them.", inputSchema: { type: "object" } },
  { name: "write_note", description: "Writes one.", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
];
const handlers: Record<ToolName, Handler> = {
  read_note: readNote,
  list_notes: listNotes,
  count_notes: countNotes,
  write_note: writeNote,
};

const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  if (!(NAMES as readonly string[]).includes(request.params.name)) throw new Error(`Unknown tool: ${request.params.name}`);
  const name = Name.parse(request.params.name);
  const text = handlers[name](request.params.arguments ?? {});
  return { content: [{ type: "text", text: READ_ONLY.has(name) ? text : `${text}.` }] };
});

await server.connect(new StdioServerTransport());
