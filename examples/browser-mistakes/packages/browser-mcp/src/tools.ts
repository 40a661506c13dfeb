/** What the browser can do for an agent. */
export const tools = [
  {
    name: 'browser.session.start',
    description: 'Opens a browser',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
  {
    name: 'click',
    description: 'Clicks on an element',
    inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] },
  },
  {
    name: 'browserReadPage',
    description: 'Reads what the page says',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
] as const;
