// What goes wrong, as a program sees it: an error with a code.

import { type ErrorCode, failureCodePattern } from '../wire/errors.js';

/**
 * What the library fails with: a code of the wire (docs/app-authors.md lists them), or one of the library's own:
 * - `unreachable`: no daemon answers there, or what answers is not Leo;
 * - `closed`: this connection has been closed;
 * - `internal`: the daemon met a fault of its own, or gave an answer that cannot be read.
 */
export type LeoAppErrorCode = ErrorCode | 'unreachable' | 'closed' | 'internal';

/** The error of every promise of this library. */
export class LeoAppError extends Error {
  override readonly name = 'LeoAppError';

  constructor(
    readonly code: LeoAppErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const codeForm = new RegExp(failureCodePattern);

/**
 * A failure of a tool that the agent is to read, as `<code>: <message>`. A handler throws it.
 *
 * @throws {TypeError} for a code that is not a lower-case word of at most 64 letters, digits and underscores.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    if (!codeForm.test(code)) {
      throw new TypeError(
        `"${code}" is no code of a failure: use a word such as no_paper (${failureCodePattern})`,
      );
    }
  }
}

/** The code of a thrown value, where it is a word that an agent may be shown; `ENOENT` and the like are none. */
export function failureCodeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && codeForm.test(code) ? code : undefined;
}
