// What is pasted into a prompt for a message (design 9): the sender in front, and no character that is a command to
// a terminal. Pure.
//
// What must stay true: nothing but newline and tab is left of the control characters, so that no text ends the paste
// that it stands in (`ESC[201~`, or U+009B for those that know it) and becomes keystrokes; everything else stays as
// it is, character for character.

import { maxMessageBytes } from '../../wire/bodies/message.js';
import { LeoError } from '../../wire/errors.js';

/** C0 but for tab and newline, DEL, and C1. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * The text to paste.
 *
 * @param from the sender, as the agent is shown it.
 * @throws {LeoError} `too_large` over 256 KiB, `invalid_request` where nothing is left.
 */
export function messageText(text: string, from: string): string {
  if (Buffer.byteLength(text) > maxMessageBytes) {
    throw new LeoError('too_large', `a message holds at most ${maxMessageBytes} bytes (256 KiB) of text`);
  }
  const clean = withoutControls(text);
  if (clean.trim() === '')
    throw new LeoError('invalid_request', 'at $.text: it holds nothing that can be shown');
  return `[message from ${oneLine(from)}] ${clean}`;
}

/** CR and CRLF are ends of lines, as on a keyboard; one of them alone would submit what stands before it. */
function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').toWellFormed();
}

/** A name that stays within its brackets. */
function oneLine(from: string): string {
  return (
    withoutControls(from)
      .replace(/[\n\t]+/g, ' ')
      .trim() || 'unknown'
  );
}
