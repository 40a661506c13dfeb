/** What the browser can do for an agent. */
export const tools = [
  {
    name: 'browser_session_start',
    description: 'Opens a browser',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
  {
    name: 'browser_click',
    description: 'Clicks on an element',
    inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] },
  },
  {
    name: 'browser_type',
    description: 'Types into an element',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, ref: { type: 'string' } },
      required: ['text', 'ref'],
    },
  },
  {
    name: 'browser_navigate',
    description: 'Goes to a page',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', format: 'uri' },
        timeout: { type: 'number', default: 30000, minimum: 0 },
      },
      required: ['url'],
    },
  },
  {
    name: 'browser_scroll',
    description: 'Moves the page, or one element of it',
    inputSchema: {
      type: 'object',
      properties: {
        direction: { type: 'string', description: 'One of "up" or "down"', enum: ['up', 'down'] },
        ref: { type: 'string', default: '' },
        margin: { type: 'object', properties: { top: { type: 'number' } }, required: ['top'] },
      },
      required: ['direction', 'margin'],
    },
  },
  {
    name: 'browser_read_page',
    description: 'Reads what the page says',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
] as const;
