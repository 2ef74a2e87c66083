// How a command fails: words for people and an exit code. 1 is a command that failed, 2 one that was misused.
// Anything else that is thrown is a fault of ours, and is shown with its stack.

export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An option or argument that cannot be used as it stands. */
export function misuse(message: string): CliError {
  return new CliError(message, 2);
}
