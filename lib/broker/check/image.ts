// Whether the bytes of an image are what they are said to be (design 7). A model's API refuses a whole
// conversation for one image of the wrong type or size, and goes on refusing it.

import { disableTypes, imageSize, types } from 'image-size';
import { imageTypes, maxImageBytes, maxImageSide } from '../../wire/content.js';

const mimeTypeOf: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
]);

// The parsers of other formats are never run on what an app sent.
disableTypes(types.filter((type) => !mimeTypeOf.has(type)));

/** What is wrong with an image, in words, or undefined. */
export function imageFault(bytes: Uint8Array, mimeType: string): string | undefined {
  if (!imageTypes.some((type) => type === mimeType)) {
    return `${JSON.stringify(mimeType)} is not one of ${imageTypes.join(', ')}`;
  }
  if (bytes.length > maxImageBytes)
    return `the image has ${bytes.length} bytes; at most ${maxImageBytes} (5 MiB) are taken`;
  const found = measured(bytes);
  if (found === undefined) return `the bytes are no ${mimeType}`;
  if (found.mimeType !== mimeType) return `the bytes are ${found.mimeType}, not ${mimeType}`;
  if (found.width < 1 || found.height < 1) return 'the image has no size';
  if (found.width > maxImageSide || found.height > maxImageSide) {
    return `the image is ${found.width} × ${found.height} pixels; at most ${maxImageSide} a side are taken`;
  }
  return undefined;
}

function measured(bytes: Uint8Array): { mimeType: string; width: number; height: number } | undefined {
  try {
    // The library reads the memory under a view, beyond its end too; a buffer of their own has nothing there.
    const alone = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
    const { type, width, height } = imageSize(alone);
    const mimeType = mimeTypeOf.get(type ?? '');
    return mimeType === undefined ? undefined : { mimeType, width, height };
  } catch {
    // The library throws on bytes that are none of its formats, or end too soon.
    return undefined;
  }
}
