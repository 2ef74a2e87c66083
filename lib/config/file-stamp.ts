// Which state of a file somebody has read: by when it was changed last, told as that file tells it, so that no two clocks
// are compared.

import { statSync } from 'node:fs';

/** When a file was changed last, as a text that only equals its like; `none` where there is no file. */
export function fileStamp(path: string): string {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? 'none';
  } catch {
    return 'none'; // Something on the way cannot be entered.
  }
}
