// An answer's content for a person: text as it is, images and sounds as files of the user alone, the rest as JSON.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '../wire/content.js';
import { say } from './output.js';
import { printable } from './table.js';

/** Writes each block to stdout; for one that is a file, the file's path. */
export function writeContent(content: readonly ContentBlock[]): void {
  let folder: string | undefined;
  for (const [index, block] of content.entries()) {
    const { type, text, data, mimeType } = block;
    if (type === 'text' && typeof text === 'string') {
      // A program reads what the app wrote; a terminal is spared what it would obey.
      say(process.stdout.isTTY ? printable(text) : text);
    } else if (typeof data === 'string' && typeof mimeType === 'string') {
      folder ??= mkdtempSync(join(tmpdir(), 'leo-call-'));
      const file = join(folder, `${index + 1}.${extension(mimeType)}`);
      writeFileSync(file, Buffer.from(data, 'base64'), { mode: 0o600 });
      say(file);
    } else {
      say(JSON.stringify(block));
    }
  }
}

/** `png` for `image/png`; the type comes from an app, so only letters and digits of it become a file's name. */
function extension(mimeType: string): string {
  const word = /^[a-z]+\/([a-z0-9]{1,16})\b/i.exec(mimeType)?.[1]?.toLowerCase() ?? 'bin';
  return word === 'jpeg' ? 'jpg' : word;
}
