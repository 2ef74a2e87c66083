// Why a harness was not set up: the place, what is wrong there, and the mend. Nothing was written when it is thrown.

export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** The line and column of an offset, from 1, as editors count them. */
export function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}
