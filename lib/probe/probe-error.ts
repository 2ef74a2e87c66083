// What went wrong with one harness, in words for the person who ran the probe; the other harnesses go on.

export class ProbeError extends Error {
  override readonly name = 'ProbeError';
}
