import { Ctx, Payload } from "@nestjs/microservices";
import { McpContext, McpController, Tool } from "@rekog/mcp-nest";
import { z } from "zod";

const text = (text: string) => ({ content: [{ type: "text" as const, text }] });

@McpController()
export class Notes {
  @Tool({
    name: "read_note",
    description: "Reads one.",
    parameters: z.object({ id: z.number() }),
  })
  async readNote(@Payload() { id }: { id: number }, @Ctx() context: McpContext) {
    await context.reportProgress({ progress: 1, total: 1 });
    return text(`note ${id}`);
  }

  @Tool({ name: "list_notes", description: "Lists all." })
  everyNote() {
    return text("1, 2");
  }

  @Tool({
    name: "write_note",
    description: "Writes one.",
    annotations: { idempotentHint: true },
    parameters: z.object({ id: z.number(), text: z.string() }),
  })
  writeNote(@Payload() note: { id: number; text: string }) {
    return text(`${note.id}: ${note.text}`);
  }

  @Tool({ name: "count_notes", description: "Counts all." })
  async count(): Promise<ReturnType<typeof text>> {
    return text("2");
  }
}
