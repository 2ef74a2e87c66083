// What the console, the broker's page in the browser, says and is told beyond what every app is: signing in and
// out (docs/operators.md tells why it is done so).

import type { JsonSchema } from './json.js';

/** The header in which the page shows the half of its session that no other port of this machine is sent. */
export const consoleHeader = 'x-leo-console';

/** The form of everything secret here: 256 bits as base64url. */
export const consoleSecretPattern = '^[A-Za-z0-9_-]{43}$';

/** The cookie with the other half. Cookies do not know ports, so its name does. */
export function consoleCookie(port: number): string {
  return `leo_console_${port}`;
}

const expires_at = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});

export interface WireConsoleLink {
  readonly url: string;
  readonly expires_at: string;
}
export const consoleLinkData: JsonSchema = {
  type: 'object',
  properties: {
    url: { type: 'string', description: 'signs in whoever opens it first, once' },
    expires_at: expires_at('when it ends unused'),
  },
  required: ['url', 'expires_at'],
  additionalProperties: false,
};

export interface WireSignInBody {
  readonly code: string;
}
export const signInBody: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', maxLength: 256, description: 'what follows `#sign-in=` in the link' },
  },
  required: ['code'],
  additionalProperties: false,
};
export const signInData: JsonSchema = {
  type: 'object',
  properties: {
    csrf: { type: 'string', description: 'for the header X-Leo-Console of every further request' },
    expires_at: expires_at('when the session ends however much it is used'),
  },
  required: ['csrf', 'expires_at'],
  additionalProperties: false,
};

export const signOutAllData: JsonSchema = {
  type: 'object',
  properties: { ended: { type: 'integer', minimum: 0, description: 'how many browsers were signed in' } },
  required: ['ended'],
  additionalProperties: false,
};
