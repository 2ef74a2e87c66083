// The app of the bench, a process of its own: it answers by the library that app authors use. Its parent is told
// when its tools are registered.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { connect } from '../lib/app/index.js';
import { isObject } from '../lib/wire/json.js';
import { root } from './root.js';

const socket = process.argv[2] ?? '';
const app = await connect({ socket });

/** The image that the floors give too. */
function image(): { type: 'image'; data: string; mimeType: string } {
  const drawn: unknown = createRequire(import.meta.url)(join(root, 'bench', 'floors', 'image.cjs')).image();
  if (!isObject(drawn) || typeof drawn.data !== 'string' || typeof drawn.mimeType !== 'string') {
    throw new Error('bench/floors/image.cjs gives no image');
  }
  return { type: 'image', data: drawn.data, mimeType: drawn.mimeType };
}

let drawn: ReturnType<typeof image> | undefined;
await app.offer('bench', [
  {
    name: 'echo',
    description: 'Gives the text back.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    handler: (call) => String(call.arguments.text),
  },
  {
    name: 'image',
    description: 'Gives an image of 5 MB.',
    handler: () => {
      drawn ??= image();
      return drawn;
    },
  },
]);
process.send?.('ready');
// A bench that dies takes its app along.
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => app.close().then(() => process.exit()));
