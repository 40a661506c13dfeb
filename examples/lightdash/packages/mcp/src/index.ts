import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { registerGroupTools } from './tools/groups.js';
import { registerProjectTools } from './tools/projects.js';
import { registerSpaceTools } from './tools/spaces.js';

const server = new McpServer({ name: 'lightdash', version: '1.0.0' });
registerGroupTools(server);
registerProjectTools(server);
registerSpaceTools(server);
await server.connect(new StdioServerTransport());
