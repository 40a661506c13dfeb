import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import { registerReading } from "./reading.js";
import { registerWriting } from "./writing.js";

const server = new McpServer({ name: "tickets", version: "0.3.0" });
registerReading(server);
registerWriting(server);
await server.connect(new StdioServerTransport());
