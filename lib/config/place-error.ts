// A file or folder of a LEO_HOME that is not as it must be, in words that name the command which mends it.

export class PlaceError extends Error {
  override readonly name = 'PlaceError';
  /** What is wrong, without the mend. */
  readonly what: string;
  /** The command that mends it, where one does. */
  readonly mend: string | undefined;

  constructor(what: string, { mend, ...options }: ErrorOptions & { mend?: string } = {}) {
    super(mend === undefined ? what : `${what}: ${mend}`, options);
    this.what = what;
    this.mend = mend;
  }
}
