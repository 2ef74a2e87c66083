// Why the daemon does not start or cannot go on, in words for the person who started it.

export class DaemonError extends Error {
  override readonly name = 'DaemonError';

  constructor(
    /** `running`: another daemon has this home. `config`: leo.yaml cannot be used. `place`: a file or folder is not as it must be. */
    readonly kind: 'running' | 'config' | 'place',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
