// Which hosts a request over TCP may be for, and which origins it may come from (design 10). A page of any
// site can send requests to loopback, and a name can be made to resolve to it; both show in these headers.
// Pure.

import { LeoError } from '../../wire/errors.js';

export interface HostRules {
  /** The port that the broker listens on. */
  readonly port: number;
  /** `web.allowed_hosts`, as written. */
  readonly allowedHosts: readonly string[];
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Checks the Host and Origin of a request over TCP.
 *
 * @param hosts every `Host` header that the request carried: exactly one is right.
 * @param origins every `Origin` header; none is fine, programs send none.
 * @param target the request target: an absolute URL there would override the Host.
 * @throws {LeoError} `forbidden`.
 */
export function checkHostAndOrigin(
  request: {
    readonly hosts: readonly string[];
    readonly origins: readonly string[];
    readonly target: string;
  },
  rules: HostRules,
): void {
  if (!request.target.startsWith('/')) throw new LeoError('forbidden', 'the request target must be a path');
  const [host, ...moreHosts] = request.hosts;
  if (host === undefined || moreHosts.length > 0)
    throw new LeoError('forbidden', 'send exactly one Host header');
  if (!isOurs(host, rules)) {
    throw new LeoError(
      'forbidden',
      `the host ${JSON.stringify(host)} is not this daemon's; add it to web.allowed_hosts if it should be`,
    );
  }
  for (const origin of request.origins) {
    const authority = /^https?:\/\/([^/?#@]+)$/.exec(origin)?.[1];
    if (authority === undefined || !isOurs(authority, rules)) {
      throw new LeoError('forbidden', `the origin ${JSON.stringify(origin)} may not use this daemon`);
    }
  }
}

/**
 * Checks that a request over TCP which counts by a cookie comes from the page of this very address, if from a page.
 *
 * @param request its one Host, its Origins, and its `Sec-Fetch-Site`, which no page can choose.
 * @throws {LeoError} `forbidden`.
 */
export function checkSameOrigin(request: {
  readonly host: string | undefined;
  readonly origins: readonly string[];
  readonly fetchSite: string | undefined;
}): void {
  const { host = '', origins, fetchSite } = request;
  const foreign = origins.find(
    (origin) => origin.replace(/^https?:\/\//, '').toLowerCase() !== host.toLowerCase(),
  );
  if (foreign !== undefined)
    throw new LeoError('forbidden', `the origin ${JSON.stringify(foreign)} is not the page of this daemon`);
  if (fetchSite !== undefined && fetchSite !== 'same-origin')
    throw new LeoError(
      'forbidden',
      'this is for the page of this daemon, and not for others (Sec-Fetch-Site)',
    );
}

/** Whether `name` or `name:port` is a loopback name or an allowed host, with our port or none. */
function isOurs(authority: string, { port, allowedHosts }: HostRules): boolean {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(authority);
  if (match === null) return false;
  const [, name = '', givenPort] = match;
  if (givenPort !== undefined && Number(givenPort) !== port) return false;
  const lower = name.toLowerCase();
  return loopbackNames.has(lower) || allowedHosts.some((allowed) => allowed.toLowerCase() === lower);
}
