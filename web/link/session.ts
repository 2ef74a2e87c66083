// The sign-in of this browser: a cookie that no script can read, and beside it the word that each request must
// carry, which is kept here and shared by all tabs.

import { isObject } from '../../lib/wire/json.js';
import { parsed } from '../model/decode.js';

const place = 'leo.csrf';
const linkPattern = /^#sign-in=([\w-]+)$/;

/** The word for `X-Leo-Console`; undefined while nobody is signed in. */
export function signedInWord(): string | undefined {
  return localStorage.getItem(place) ?? undefined;
}

export function forgetSignIn(): void {
  localStorage.removeItem(place);
}

/** Is told when another tab has signed in or out. */
export function onSignInElsewhere(told: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === place || key === null) told();
  });
}

/** The code of a sign-in link in the address, which is removed from it: it must not stay in the history. */
export function takeCode(): string | undefined {
  const code = linkPattern.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return code;
}

/** Gives the code for a session. Gives undefined on success, else what to tell the person. */
export async function signIn(code: string): Promise<string | undefined> {
  try {
    const answer = await fetch('/api/v1/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const body = parsed(await answer.text());
    if (isObject(body) && isObject(body.data) && typeof body.data.csrf === 'string') {
      localStorage.setItem(place, body.data.csrf);
      return undefined;
    }
    return isObject(body) && typeof body.error === 'string' ? body.error : `Leo answered ${answer.status}.`;
  } catch {
    return 'Leo did not answer. Is the daemon running?';
  }
}
