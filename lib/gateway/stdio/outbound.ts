// Messages to the harness, as bytes. Pure.
//
// The content of a call's result came over the link as JSON and was checked by the broker. It is copied, not
// parsed and written again: a picture of 5 MiB would cost both twice.

import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject } from '../../wire/json.js';

/** A list of content blocks as the JSON text that it came as; stands for `content` in a result. */
export class RawContent {
  constructor(readonly json: Buffer) {}
}

/** The line of a message, in pieces that follow one another. */
export function encodeLine(message: JSONRPCMessage): readonly (string | Buffer)[] {
  const result = 'result' in message ? message.result : undefined;
  if (!('result' in message) || !isObject(result) || !(result.content instanceof RawContent)) {
    return [`${JSON.stringify(message)}\n`];
  }
  const { content, ...others } = result;
  const rest = Object.keys(others).length === 0 ? '' : `,${JSON.stringify(others).slice(1, -1)}`;
  return [
    `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":`,
    content.json,
    `${rest}}}\n`,
  ];
}
