// The MCP server that a probed harness starts: it decides nothing. It hands every line, signal and end to the probe
// over a socket, and writes what the probe says. Arguments: the socket's path, and for how many milliseconds it
// outlives the end of stdin or a signal (0: it ends at once, as a good server does).

import { createConnection } from 'node:net';
import { type RelayOrder, type RelayReport, splitLines } from './relay-messages.js';

const [socketPath = '', lingerText = '0'] = process.argv.slice(2);
const lingerMs = Number(lingerText);
const socket = createConnection(socketPath);
let ending = false;

function report(message: RelayReport): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

function end(): void {
  if (ending) return;
  ending = true;
  setTimeout(() => {
    report({ kind: 'exit' });
    socket.end(() => process.exit(0));
  }, lingerMs);
}

socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(0));
report({
  kind: 'hello',
  pid: process.pid,
  cwd: process.cwd(),
  argv: process.argv.slice(2),
  env: Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ''])),
});

let orders = '';
socket.setEncoding('utf8');
socket.on('data', (chunk: string) => {
  const { lines, rest } = splitLines(orders, chunk);
  orders = rest;
  for (const line of lines) {
    const order = JSON.parse(line) as RelayOrder; // The probe's own words, of its own version.
    process.stdout.write(`${order.text}\n`);
  }
});

let input = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const { lines, rest } = splitLines(input, chunk);
  input = rest;
  for (const text of lines) report({ kind: 'line', text });
});
process.stdin.on('end', () => {
  report({ kind: 'stdin-end' });
  end();
});
process.stdout.on('error', end);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(name, () => {
    report({ kind: 'signal', name });
    end();
  });
}
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  report({ kind: 'orphaned' });
}, 20);
