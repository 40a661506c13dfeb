/** Every tool of the gateway, as `<server>_<tool>`. */
export const SYNTROPY_TOOLS = [
  { name: 'healthcheck', description: 'Says which servers answer', inputSchema: { type: 'object' } },
  { name: 'serena-find-symbol', description: 'Finds a symbol', inputSchema: { type: 'object' } },
  { name: 'thinking_sequentialthinking', description: 'Thinks step by step', inputSchema: { type: 'object' } },
  { name: 'context7_get_library_docs', description: 'Gets the documents of a library', inputSchema: { type: 'object' } },
  { name: 'linaer_create_issue', description: 'Opens an issue', inputSchema: { type: 'object' } },
  { name: 'git_git_status', description: 'Says what changed', inputSchema: { type: 'object' } },
];
