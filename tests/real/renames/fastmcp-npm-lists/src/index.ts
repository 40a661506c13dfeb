import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { countNotes, writeTools } from './tools.js';

const server = new FastMCP({ name: 'notes', version: '1.0.0' });

server.addTools([
  {
    name: 'read_note',
    description: 'Read one note.',
    annotations: { readOnlyHint: true },
    parameters: z.object({ id: z.number() }),
    execute: async ({ id }) => `note ${id}`,
  },
]);

server.addTools([
  {
    name: 'list_notes',
    description: 'List all notes.',
    annotations: { readOnlyHint: true },
    execute: async () => '1, 2',
  },
]);

server.addTools(writeTools);

server.addTools([countNotes]);

server.start({ transportType: 'stdio' });
