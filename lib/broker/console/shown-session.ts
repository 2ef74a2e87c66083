// What the headers of a request show of a session of the console, and the cookie that gives a browser its half. Pure.

import type { IncomingHttpHeaders } from 'node:http';
import { consoleCookie, consoleHeader } from '../../wire/console.js';
import type { Shown } from './sessions.js';

/**
 * The session that a request shows; undefined where the header is missing, without which no cookie is looked at.
 *
 * @param port the one that the daemon listens on, which the cookie's name holds.
 */
export function shownSession(headers: IncomingHttpHeaders, port: number): Shown | undefined {
  const header = headers[consoleHeader];
  if (typeof header !== 'string') return undefined;
  const start = `${consoleCookie(port)}=`;
  const cookies = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
  return { cookies, header };
}

/** The value of Set-Cookie that gives a browser its half of a session. */
export function givenCookie(port: number, secret: string, maxAgeS: number): string {
  return `${consoleCookie(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeS}`;
}

/** The value of Set-Cookie that takes it away. */
export function takenCookie(port: number): string {
  return givenCookie(port, '', 0);
}
