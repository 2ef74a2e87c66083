// An image that came as base64, told by its first bytes and never by a label. Pure.

import { imageType } from '../../lib/app/image-type.js';
import type { ImageKind } from '../model/facts.js';

/** The most that an image may have, in bytes: as a result may hold (design 7). */
const mostBytes = 5 * 1024 * 1024;

export type CheckedImage =
  | { readonly ok: true; readonly image: { readonly type: ImageKind; readonly data: string } }
  | { readonly ok: false; readonly why: string };

/** Checks a base64 text, with or without `data:image/…;base64,` in front. */
export function checkImage(base64: string): CheckedImage {
  const data = base64.replace(/^data:image\/[a-z+.-]+;base64,/, '').replace(/\s+/g, '');
  if (data.length > Math.ceil(mostBytes / 3) * 4) return { ok: false, why: 'image: larger than 5 MiB' };
  const bytes = bytesOf(data);
  if (bytes === undefined) return { ok: false, why: 'image: not base64' };
  const type = imageType(bytes);
  if (type === undefined) return { ok: false, why: 'image: neither PNG, JPEG, GIF nor WebP' };
  return { ok: true, image: { type, data } };
}

/** The bytes of a base64 text; undefined if it is none. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
