import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

import { Branch, State, ticket, tickets } from "./jobs.js";
import { registerTicketTool, reply } from "./register.js";

export function registerReading(server: McpServer): void {
  registerTicketTool(
    server,
    "list",
    {
      description: "List tickets, of one branch or in one state if given",
      inputSchema: { branch: Branch.optional(), state: State.optional() },
    },
    ({ branch, state }) =>
      reply(
        tickets
          .filter((ticket) => !branch || ticket.branch === branch)
          .filter((ticket) => !state || ticket.state === state),
      ),
  );

  registerTicketTool(
    server,
    "get",
    { description: "Show one ticket with its comments", inputSchema: { id: z.number().int() } },
    ({ id }) => reply(ticket(id)),
  );

  registerTicketTool(
    server,
    "list_still_waiting_for_parts_ordered_before",
    {
      description: "List the tickets whose parts were ordered before a day and have not come",
      inputSchema: { day: z.iso.date() },
    },
    ({ day }) =>
      reply(tickets.filter(({ state, partsOrdered }) => state === "waiting" && partsOrdered && partsOrdered < day)),
  );
}
