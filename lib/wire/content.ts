// What a call ends with (design 7): a list of MCP content blocks, or a failure with a code.

import type { JsonObject } from './json.js';

/** One MCP content block; it passes through Leo unchanged, its form checked by the broker on arrival. */
export type ContentBlock = JsonObject & { readonly type: string };

/** How a call ended, for the agent. */
export type Outcome =
  | { readonly ok: true; readonly content: readonly ContentBlock[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The word for an outcome that streams and logs may see: `ok` or the failure's code, never content. */
export function outcomeCode(outcome: Outcome): string {
  return outcome.ok ? 'ok' : outcome.code;
}

/** The text of a failed call as the agent reads it (design 7). */
export function failureText(code: string, message: string): string {
  return `${code}: ${message}`;
}

/** The largest result line, in bytes: clients of the MCP SDK close a connection at a line of 10 MiB. */
export const maxResultBytes = 9 * 1024 * 1024;
/** The largest image, in decoded bytes. */
export const maxImageBytes = 5 * 1024 * 1024;
/** The longest side of an image, in pixels. */
export const maxImageSide = 8000;
/** The image types that every harness's model takes. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
/** The longest message of a failure, in characters. */
export const maxFailureMessageLength = 16_384;
