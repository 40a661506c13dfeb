import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { tools } from './tools.js';

const server = new Server({ name: 'browser', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case 'browser.session.start':
      return { content: [{ type: 'text', text: 'open' }] };
    case 'click':
      return { content: [{ type: 'text', text: 'clicked' }] };
    case 'browserReadPage':
      return { content: [{ type: 'text', text: 'read' }] };
    case 'browser_navigate':
      return { content: [{ type: 'text', text: 'there' }] };
    case 'browser_scroll':
      return { content: [{ type: 'text', text: 'moved' }] };
    default:
      throw new Error(`no tool ${request.params.name}`);
  }
});
await server.connect(new StdioServerTransport());
