import { z } from "zod";

export const Branch = z.enum(["bergen", "porto", "yokohama"]);
export const State = z.enum(["open", "waiting", "closed"]);

export interface Ticket {
  id: number;
  branch: z.infer<typeof Branch>;
  bicycle: string;
  complaint: string;
  state: z.infer<typeof State>;
  mechanic?: string;
  /** The day on which the missing parts were ordered. */
  partsOrdered?: string;
  comments: string[];
}

export const tickets: Ticket[] = [
  {
    id: 1,
    branch: "bergen",
    bicycle: "grey cargo bike",
    complaint: "creaks, but only uphill",
    state: "open",
    mechanic: "Ingrid",
    comments: ["It is the saddle. It is always the saddle."],
  },
  {
    id: 2,
    branch: "porto",
    bicycle: "tandem",
    complaint: "rear seat pedals backwards",
    state: "waiting",
    mechanic: "Duarte",
    partsOrdered: "2026-02-11",
    comments: [],
  },
  {
    id: 3,
    branch: "yokohama",
    bicycle: "folding bike",
    complaint: "does not unfold",
    state: "closed",
    mechanic: "Emi",
    comments: [],
  },
];

export function ticket(id: number): Ticket {
  const found = tickets.find((ticket) => ticket.id === id);
  if (!found) throw new Error(`there is no ticket ${id}`);
  return found;
}
