// What an image is, told by its first bytes and never by a name or a label.

import type { imageTypes } from '../wire/content.js';

/** The image types that agents can be given. */
export type ImageType = (typeof imageTypes)[number];

/** The type of an image's bytes, or undefined if they begin like none that agents can be given. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (startsWith(bytes, 0, ...ascii('GIF87a')) || startsWith(bytes, 0, ...ascii('GIF89a')))
    return 'image/gif';
  if (startsWith(bytes, 0, ...ascii('RIFF')) && startsWith(bytes, 8, ...ascii('WEBP'))) return 'image/webp';
  return undefined;
}

function startsWith(bytes: Uint8Array, at: number, ...wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
