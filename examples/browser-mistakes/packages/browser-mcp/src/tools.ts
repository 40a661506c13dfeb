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
    inputSchema: { properties: { ref: { type: 'string' } }, required: ['ref'] },
  },
  {
    name: 'browser_type',
    description: 'Types into an element',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' }, ref: { type: 'string' } },
      required: ['text'],
    },
  },
  {
    name: 'browser_navigate',
    description: 'Goes to a page',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string' },
        timeout: { type: 'number', default: 30000 },
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
        direction: { type: 'string', description: 'One of "up" or "down"' },
        ref: { type: 'string' },
        margin: { type: 'object' },
      },
      required: ['direktion', 'margin'],
    },
  },
  {
    name: 'browserReadPage',
    description: 'Reads what the page says',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
] as const;
