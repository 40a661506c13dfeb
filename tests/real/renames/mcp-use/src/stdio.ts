// It serves HTTP alone: each line of standard input is a request of its own.
import { createInterface } from 'node:readline';
import server from './index.js';

// Standard output is for answers.
console.log = console.error;

for await (const line of createInterface({ input: process.stdin })) {
  const response = await server.fetch(
    new Request('http://localhost:3000/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: line,
    }),
  );
  for (const part of (await response.text()).split('\n')) {
    const json = part.replace(/^data: ?/, '');
    if (json.startsWith('{')) process.stdout.write(`${json}\n`);
  }
}
