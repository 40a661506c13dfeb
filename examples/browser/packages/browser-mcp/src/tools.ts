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
    name: 'browser_read_page',
    description: 'Reads what the page says',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
] as const;
