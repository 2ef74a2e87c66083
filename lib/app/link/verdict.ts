// What an answer of the daemon means. `lost` is everything after which the same POST may be sent again: the
// broker takes an identical repeat (design 5).

import { isErrorCode } from '../../wire/errors.js';
import { isObject } from '../../wire/json.js';
import { LeoAppError } from '../errors.js';

export type Verdict =
  | { readonly is: 'accepted'; readonly body: string }
  | { readonly is: 'refused'; readonly error: LeoAppError }
  | { readonly is: 'lost'; readonly error: LeoAppError };

/** The meaning of an answer's status and body. */
export function verdictOf(status: number, body: string): Verdict {
  if (status >= 200 && status < 300) return { is: 'accepted', body };
  const envelope = parsed(body);
  const said =
    typeof envelope?.error === 'string' ? envelope.error : `the daemon answered with status ${status}`;
  if (status >= 500) return { is: 'lost', error: new LeoAppError('internal', said) };
  if (isErrorCode(envelope?.code)) return { is: 'refused', error: new LeoAppError(envelope.code, said) };
  return { is: 'refused', error: new LeoAppError('internal', said) };
}

/** The `data` of an accepted answer; undefined where there is none or it cannot be read. */
export function dataOf(body: string): unknown {
  return parsed(body)?.data;
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
