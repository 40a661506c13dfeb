import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { Hono } from "hono";
import { bridge, describeTool, mValidator, muppet } from "muppet";
import { z } from "zod";

const app = new Hono();
const text = (text: string) => [{ type: "text" as const, text }];

app.post(
  "/read",
  describeTool({ name: "read_note", description: "Reads one. Call `list_notes` first." }),
  mValidator("json", z.object({ id: z.number() })),
  (context) => context.json(text(`note ${context.req.valid("json").id}`)),
);
app.post("/list", describeTool({ name: "list_notes", description: "Lists all." }), (context) => context.json(text("1, 2")));
app.post(
  "/write",
  describeTool({ name: 'write_note', description: 'Writes one.' }),
  mValidator("json", z.object({ id: z.number(), text: z.string() })),
  (context) => context.json(text(`${context.req.valid("json").id}: ${context.req.valid("json").text}`)),
);

const COUNT = "count_notes";
app.post("/count", describeTool({ name: COUNT, description: "Counts them." }), (context) => context.json(text("2")));

const mcp = await muppet(app, { name: "notes", version: "1.0.0" });
if (mcp) await bridge({ mcp, transport: new StdioServerTransport() });
