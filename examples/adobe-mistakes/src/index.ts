import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { registerGenerateTools } from './generate.js';
import { registerPhotoshopTools } from './photoshop.js';

const server = new McpServer({ name: 'adobe', version: '0.1.0' });
registerGenerateTools(server);
registerPhotoshopTools(server);
await server.connect(new StdioServerTransport());
