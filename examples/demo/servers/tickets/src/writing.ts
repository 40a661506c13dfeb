import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

import { Branch, type Ticket, ticket, tickets } from "./jobs.js";
import { registerTicketTool, reply } from "./register.js";

const id = z.number().int();

export function registerWriting(server: McpServer): void {
  registerTicketTool(
    server,
    "open",
    {
      description: "Open a ticket for a bicycle that was brought in",
      inputSchema: { branch: Branch, bicycle: z.string(), complaint: z.string() },
    },
    (brought) => {
      const opened: Ticket = { id: tickets.length + 1, ...brought, state: "open", comments: [] };
      tickets.push(opened);
      return reply(opened);
    },
  );

  registerTicketTool(
    server,
    "assign",
    { description: "Give a ticket to a mechanic", inputSchema: { id, mechanic: z.string() } },
    ({ id, mechanic }) => reply(Object.assign(ticket(id), { mechanic })),
  );

  registerTicketTool(
    server,
    "add comment",
    { description: "Write a comment under a ticket", inputSchema: { id, comment: z.string() } },
    ({ id, comment }) => {
      const commented = ticket(id);
      commented.comments.push(comment);
      return reply(commented);
    },
  );

  registerTicketTool(
    server,
    "close",
    { description: "Close a ticket; the customer gets a message", inputSchema: { id } },
    ({ id }) => reply(Object.assign(ticket(id), { state: "closed" })),
  );
}
