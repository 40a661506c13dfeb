import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { SYNTROPY_TOOLS } from './tools-definition.js';

/** Which server answers for a pool key. */
export const SERVER_ROUTES: Record<string, string> = {
  'syn-serena': 'mcp__serena__',
  'syn_thinking': 'mcp__sequential-thinking__',
  'syn-context7': 'mcp_context7__',
  'syn-linear': 'mcp__linear__',
  'syn-perplexity': 'mcp__perplexity__',
};

const server = new Server({ name: 'syntropy', version: '1.0.0' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: SYNTROPY_TOOLS,
}));

server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const [name, tool] = request.params.name.replace('mcp__syntropy__', '').split(/_(.*)/s);
  return { content: [{ type: 'text', text: `${SERVER_ROUTES[`syn-${name}`]}${tool}` }] };
});

await server.connect(new StdioServerTransport());
