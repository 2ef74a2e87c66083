// The check of a result on arrival (design 7): what would poison the agent's conversation is refused to the
// app, with the place and the reason, while the call stays open for a better one.

import { type ContentBlock, imageTypes, maxResultBytes, type Outcome } from '../../wire/content.js';
import { LeoError } from '../../wire/errors.js';
import { isObject } from '../../wire/json.js';
import { isDeeperThan, maxJsonDepth } from '../../wire/json-depth.js';
import { imageFault } from './image.js';
import { wellFormed } from './well-formed.js';

/** What the JSON-RPC envelope around a result may take of its line. */
const envelopeBytes = 1024;

/**
 * A result that may go on to the agent: the same blocks, lone surrogates replaced.
 *
 * @throws {LeoError} `invalid_result`, `at $.content[i]…: why`.
 */
export function checkedOutcome(outcome: Outcome): Outcome {
  if (!outcome.ok) {
    if (outcome.message.trim() === '') throw invalid('at $.error.message: must say what went wrong');
    return { ...outcome, message: outcome.message.toWellFormed() };
  }
  if (isDeeperThan(outcome.content, maxJsonDepth))
    throw invalid(`at $.content: nests deeper than ${maxJsonDepth} levels`);
  const content = outcome.content.map((block, i) => {
    const fault = blockFault(block);
    if (fault !== undefined) throw invalid(`at $.content[${i}]${fault}`);
    return wellFormed(block);
  });
  const bytes = Buffer.byteLength(JSON.stringify(content)) + envelopeBytes;
  if (bytes > maxResultBytes) {
    throw invalid(
      `at $.content: the result would be a line of ${bytes} bytes; at most ${maxResultBytes} (9 MiB) are taken`,
    );
  }
  return { ok: true, content };
}

/** What is wrong with one block, as the rest of its path and a reason: `.data: is not base64`. */
function blockFault(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return textFault(block.text, '.text');
    case 'image': {
      if (typeof block.mimeType !== 'string') return `.mimeType: must be one of ${imageTypes.join(', ')}`;
      const bytes = base64(block.data);
      if (bytes === undefined) return '.data: is not base64 (standard alphabet, padded, no white space)';
      const fault = imageFault(bytes, block.mimeType);
      return fault === undefined ? undefined : `.data: ${fault}`;
    }
    case 'audio':
      if (typeof block.mimeType !== 'string' || !/^audio\/[\w.+-]+$/.test(block.mimeType))
        return '.mimeType: must be an audio type';
      return base64(block.data) === undefined
        ? '.data: is not base64 (standard alphabet, padded, no white space)'
        : undefined;
    case 'resource_link':
      if (typeof block.name !== 'string' || block.name === '') return '.name: must be text';
      return typeof block.uri === 'string' && URL.canParse(block.uri) ? undefined : '.uri: must be a URI';
    case 'resource':
      return resourceFault(block.resource);
    default:
      return `.type: ${JSON.stringify(block.type)} is no MCP content block (text, image, audio, resource_link, resource)`;
  }
}

function resourceFault(resource: unknown): string | undefined {
  if (!isObject(resource)) return '.resource: must be an object';
  if (typeof resource.uri !== 'string' || !URL.canParse(resource.uri)) return '.resource.uri: must be a URI';
  if (resource.text !== undefined) return textFault(resource.text, '.resource.text');
  const bytes = base64(resource.blob);
  if (bytes === undefined) return '.resource: must have text, or a blob in base64';
  // A harness shows an embedded image to its model as an image.
  if (typeof resource.mimeType === 'string' && resource.mimeType.startsWith('image/')) {
    const fault = imageFault(bytes, resource.mimeType);
    return fault === undefined ? undefined : `.resource.blob: ${fault}`;
  }
  return undefined;
}

function textFault(text: unknown, at: string): string | undefined {
  if (typeof text !== 'string') return `${at}: must be text`;
  // Model APIs refuse a text block with nothing to read in it, and with it every later turn.
  return text.trim() === '' ? `${at}: must not be empty` : undefined;
}

/** The bytes of a strict base64 text, or undefined: only what encodes back to the same text counts. */
function base64(data: unknown): Uint8Array | undefined {
  if (typeof data !== 'string' || data.length === 0) return undefined;
  const bytes = Buffer.from(data, 'base64');
  return bytes.toString('base64') === data ? bytes : undefined;
}

function invalid(message: string): LeoError {
  return new LeoError('invalid_result', message);
}
