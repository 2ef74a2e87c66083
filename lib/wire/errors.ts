// Every error that Leo says on the wire, in one place: a code, the HTTP status that carries it and what it
// means. Nothing outside this file knows which status belongs to which code (design 5).

/** The error codes of the HTTP API and their statuses (design 5). */
export const errorTable = {
  invalid_request: { status: 400, meaning: 'the request is not of the form that the route takes' },
  invalid_tool: { status: 400, meaning: 'a tool of the registration is not valid; nothing was registered' },
  invalid_result: { status: 400, meaning: 'the result would break or poison the conversation of the agent' },
  too_many_tools: { status: 400, meaning: 'more tools than a group or the daemon takes' },
  unauthorized: { status: 401, meaning: 'no token, or not one that the daemon knows' },
  forbidden: { status: 403, meaning: 'this caller may not do this' },
  unknown_client: { status: 404, meaning: 'no connected app has this client_id' },
  unknown_request: { status: 404, meaning: 'no call with this id is open' },
  not_found: { status: 404, meaning: 'there is no such thing' },
  name_conflict: { status: 409, meaning: 'another app, or another group, holds the name' },
  owned_by_other: { status: 409, meaning: 'another app owns this group for this agent' },
  already_claimed: { status: 409, meaning: 'another app has claimed this call' },
  already_settled: { status: 409, meaning: 'a result has settled this call' },
  not_claimant: { status: 409, meaning: 'the call is not claimed by this app' },
  not_deliverable: { status: 409, meaning: 'the agent cannot be given a message now' },
  unavailable: {
    status: 503,
    meaning: 'what this takes is not there on this machine: tmux, or the program of a harness',
  },
  too_large: { status: 413, meaning: 'the body is larger than the route takes' },
} as const;

/** A code of the error table. */
export type ErrorCode = keyof typeof errorTable;

/**
 * An error that a caller is told: a code of the table and a message that names the place and the mend.
 * Everything else that is thrown is a fault of ours and is answered with status 500 and no code.
 */
export class LeoError extends Error {
  override readonly name = 'LeoError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorTable[this.code].status;
  }
}

/** Whether a text is a code of the table. */
export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(errorTable, text);
}

/**
 * Leo's own codes for a call that failed, as the agent reads them in front of the message (design 7). An
 * app's own codes stand beside them and share their form, `failureCodePattern`.
 */
export const callFailureCodes = [
  'no_client',
  'timeout',
  'cancelled',
  'denied',
  'invalid_arguments',
  'daemon_unreachable',
] as const;

/** The form of every code of a failed call, an app's own included. */
export const failureCodePattern = '^[a-z][a-z0-9_]{0,63}$';
