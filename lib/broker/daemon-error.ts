// Why the daemon does not start or cannot go on, in words for the person who started it.

export class DaemonError extends Error {
  override readonly name = 'DaemonError';

  constructor(
    /**
     * `running`: another daemon has this home. `config`: leo.yaml cannot be used. `place`: a file or folder is not as
     * it must be. `address`: a port or an address is not to be had, which may change by itself.
     */
    readonly kind: 'running' | 'config' | 'place' | 'address',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
