// The smallest app: one tool, offered to every agent on this machine until Ctrl-C.
//
//   node examples/hello-app.mjs         (a daemon must run: leo daemon)
//   leo call say_hello --args '{"name": "Ada"}'

import { connect } from 'leo/app';

const app = await connect();
await app.offer('hello', [
  {
    name: 'say_hello',
    description: 'Greets somebody by name.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    handler: (call) => `Hello ${call.arguments.name}, this is an app speaking to ${call.agent}.`,
  },
]);
console.log('say_hello is offered; Ctrl-C takes it back.');
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
