// The requests of the page. Nothing here is thrown: an answer, a refusal, or no answer at all.

import { isObject } from '../../lib/wire/json.js';
import { parsed } from '../model/decode.js';
import { backoffMs } from './backoff.js';
import { forgetSignIn, signedInWord } from './session.js';

export type Answer =
  | { readonly is: 'done'; readonly data: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly code: string; readonly words: string }
  /** The daemon was not reached. */
  | { readonly is: 'lost' };

export interface Sending {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: object;
}

const answerWithinMs = 20_000;

const signedOut: Answer = { is: 'refused', status: 401, code: 'unauthorized', words: 'sign in: leo web' };

export class Api {
  readonly #whenSignedOut: () => void;

  /** @param whenSignedOut is told when the daemon says that nobody is signed in here. */
  constructor(whenSignedOut: () => void) {
    this.#whenSignedOut = whenSignedOut;
  }

  /** Sends once. Told that nobody is signed in, it forgets the sign-in. */
  async send(path: string, { method = 'GET', body }: Sending = {}): Promise<Answer> {
    const word = signedInWord();
    if (word === undefined) return signedOut;
    const answer = await sendAs(word, path, method, body);
    if (answer.is !== 'refused' || answer.status !== 401) return answer;
    const now = signedInWord();
    // Another tab has signed in anew meanwhile.
    if (now !== undefined && now !== word) return await sendAs(now, path, method, body);
    forgetSignIn();
    this.#whenSignedOut();
    return answer;
  }

  /** Sends until the daemon answers, or it is not wanted any more. */
  async sendPersistently(path: string, sending: Sending, wanted: () => boolean): Promise<Answer> {
    for (let failures = 1; ; failures++) {
      const answer = await this.send(path, sending);
      if (answer.is !== 'lost' || !wanted()) return answer;
      await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, Math.random())));
    }
  }
}

async function sendAs(word: string, path: string, method: string, body: object | undefined): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        'x-leo-console': word,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const said = parsed(await response.text());
    if (response.ok && isObject(said) && said.ok === true) return { is: 'done', data: said.data };
    return {
      is: 'refused',
      status: response.status,
      code: isObject(said) && typeof said.code === 'string' ? said.code : 'internal',
      words:
        isObject(said) && typeof said.error === 'string' ? said.error : `Leo answered ${response.status}`,
    };
  } catch {
    return { is: 'lost' };
  }
}
