// Bytes in pieces, as a pipe brings them.

/** Cuts bytes into pieces of these lengths, and what is left. */
export function cutAt(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...chunks, bytes.subarray(at)];
}
