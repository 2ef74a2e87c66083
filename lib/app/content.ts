// What a handler answers with: text, or MCP content blocks.

import type { ContentBlock } from '../wire/content.js';
import { type ImageType, imageType } from './image-type.js';

/** One block of text. */
export function text(content: string): ContentBlock {
  return { type: 'text', text: content };
}

/**
 * One image.
 *
 * @param bytes a PNG, JPEG, GIF or WebP of at most 5 MiB, its sides at most 8,000 pixels.
 * @param mimeType its type; told by the bytes when absent.
 * @throws {TypeError} if the bytes begin like no image of these types.
 */
export function image(bytes: Uint8Array, mimeType: ImageType | undefined = imageType(bytes)): ContentBlock {
  if (mimeType === undefined) throw new TypeError('these bytes are no PNG, JPEG, GIF or WebP image');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { type: 'image', data: view.toString('base64'), mimeType };
}
