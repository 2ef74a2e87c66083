// Reads `text/event-stream` by hand, since EventSource can send no header. Pure: text in, events out.
//
// What must stay true: a piece of text may end anywhere, in the middle of a line or between CR and LF; an event
// counts only once its empty line has come; comments are no events.

export interface RawEvent {
  readonly type: string;
  readonly data: string;
}

/** What is left of the last piece, to be read with the next one. */
export interface Unread {
  /** The line that has not ended. */
  readonly line: string;
  readonly type: string;
  readonly data: readonly string[];
  /** The last piece ended with CR: an LF in front of the next one belongs to it. */
  readonly afterReturn: boolean;
}

export const nothingUnread: Unread = { line: '', type: '', data: [], afterReturn: false };

/** Reads another piece of a stream; gives the events that it ends, and what is unread. */
export function readPiece(
  unread: Unread,
  piece: string,
): { readonly events: readonly RawEvent[]; readonly unread: Unread } {
  const fresh = unread.afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
  const afterReturn = piece === '' ? unread.afterReturn : piece.endsWith('\r');
  // A large event comes in many pieces without a line's end; looking through what came before would add up.
  if (!/[\r\n]/.test(fresh))
    return { events: [], unread: { ...unread, line: unread.line + fresh, afterReturn } };
  const lines = (unread.line + fresh).split(/\r\n|\n|\r/);
  const line = lines.pop() ?? '';
  let { type, data } = unread;
  const events: RawEvent[] = [];
  for (const each of lines) {
    if (each === '') {
      if (data.length > 0) events.push({ type: type === '' ? 'message' : type, data: data.join('\n') });
      type = '';
      data = [];
      continue;
    }
    const colon = each.indexOf(':');
    // A comment, as the broker sends to show that it lives.
    if (colon === 0) continue;
    const field = colon < 0 ? each : each.slice(0, colon);
    const value = colon < 0 ? '' : each.slice(colon + (each[colon + 1] === ' ' ? 2 : 1));
    if (field === 'event') type = value;
    else if (field === 'data') data = [...data, value];
  }
  return { events, unread: { line, type, data, afterReturn } };
}
