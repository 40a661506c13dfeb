import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { tools } from './tools.js';

function validateRequiredString(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new Error(`${name} is required and must be a string`);
  }
  return value;
}

function validateRef(value: unknown): string {
  return validateRequiredString(value, 'ref');
}

function validateUrl(value: unknown): URL {
  return new URL(validateRequiredString(value, 'url'));
}

const answer = (text: string) => ({ content: [{ type: 'text', text }] });

function scroll(args: Record<string, unknown>) {
  const direction = validateRequiredString(args.direction, 'direction');
  return answer(`moved ${direction}`);
}

const server = new Server({ name: 'browser', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const args = request.params.arguments ?? {};
  switch (request.params.name) {
    case 'browser.session.start':
      return answer('open');
    case 'click': {
      const ref = validateRef(args.ref);
      return answer(`clicked ${ref}`);
    }
    case 'browser_type': {
      const ref = validateRef(args.ref);
      return answer(`typed ${validateRequiredString(args.text, 'text')} into ${ref}`);
    }
    case 'browserReadPage':
      return answer('read');
    case 'browser_navigate':
      return answer(`at ${args.url}`);
    case 'browser_scroll':
      return scroll(args);
    default:
      throw new Error(`no tool ${request.params.name}`);
  }
});
await server.connect(new StdioServerTransport());
