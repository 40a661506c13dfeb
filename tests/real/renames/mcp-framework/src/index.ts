import { MCPServer } from "mcp-framework";

const server = new MCPServer({ name: "notes", version: "1.0.0" });
await server.start();
