// connect(): from options to a connection.

import { randomBytes } from 'node:crypto';
import { AppConnection } from './app-connection.js';
import { LeoAppError } from './errors.js';
import type { AppEvent } from './events.js';
import { type TargetOptions, targetFinder } from './link/target.js';

export interface ConnectOptions extends TargetOptions {
  /**
   * A secret of this app, 8 to 256 characters, under which the daemon keeps its tools and calls while it is away
   * (30 seconds; handoffs as long as it takes). Give one that is always the same, kept where only the app can read it,
   * and calls survive a restart of the app too. Absent: a random one for each `connect`, so that a lost connection
   * loses nothing. Null: none, and a lost connection withdraws everything at once.
   */
  readonly clientKey?: string | null;
  /** Wait for a daemon that is not there yet, instead of failing with `unreachable`. */
  readonly wait?: boolean;
  /** Closes the connection, as `close()` does; also while `connect` still waits. */
  readonly signal?: AbortSignal;
  /** Told what happens. It must not throw. */
  readonly onEvent?: (event: AppEvent) => void;
}

/**
 * Connects to the daemon: the one at `url` (with a `token`), the one behind `socket`, or the one of `LEO_HOME`
 * (`~/.leo`). From then on the connection is kept until `close()`.
 *
 * @throws {LeoAppError} `unreachable` if no daemon answers, `unauthorized` or `forbidden` for a wrong token,
 * `invalid_request` for a key that is too short or too long, `closed` when the signal was aborted.
 * @throws {TypeError} for options that cannot be meant.
 */
export async function connect(options: ConnectOptions = {}): Promise<AppConnection> {
  const { clientKey, wait = false, signal, onEvent } = options;
  const target = targetFinder(options, process.env);
  let refuse: (reason: LeoAppError) => void = () => undefined;
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const app = new AppConnection({
    target,
    clientKey: clientKey === null ? undefined : (clientKey ?? randomBytes(24).toString('base64url')),
    returning: typeof clientKey === 'string',
    now: Date.now,
    random: Math.random,
    onEvent: (event) => {
      if (event.type === 'reconnecting' && !wait) refuse(event.reason);
      onEvent?.(event);
    },
  });
  refused.catch(() => undefined);
  const abort = () => void app.close();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (signal?.aborted) throw new LeoAppError('closed', 'the connection was closed before it was made');
    await Promise.race([app.open(), refused]);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}
