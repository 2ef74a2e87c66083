// Who is calling, and whether they may (design 10). Pure: headers and the table of routes in, a decision out.
// Default deny: a route that does not name a caller's role answers 403.

import { LeoError } from '../../wire/errors.js';
import type { Role, Route } from '../../wire/routes.js';

/** How a request reached the broker. */
export type Listener = 'socket' | 'tcp';

/** A caller whose claim has been checked. `name` tells devices and clients apart. */
export interface Principal {
  readonly role: Role;
  readonly name: string;
}

/** Says whose a bearer token is; undefined for a token that nobody has. */
export type TokenOwner = (token: string) => Principal | undefined;

const operator: Principal = { role: 'operator', name: 'operator' };

/**
 * Who a request is from: the owner of its bearer token, or on the unix socket, without one, the operator.
 *
 * @param authorization the `Authorization` header as it came.
 * @throws {LeoError} `unauthorized`.
 */
export function principalOf(
  listener: Listener,
  authorization: string | undefined,
  ownerOf: TokenOwner,
): Principal {
  if (authorization === undefined) {
    if (listener === 'socket') return operator;
    throw new LeoError(
      'unauthorized',
      "send a token: Authorization: Bearer <token>; the operator's is in state/api.token",
    );
  }
  // One space, one token of visible ASCII (RFC 6750, b64token); anything else is no bearer token.
  const token = /^Bearer ([\x21-\x7e]{1,4096})$/.exec(authorization)?.[1];
  const principal = token === undefined ? undefined : ownerOf(token);
  if (principal === undefined)
    throw new LeoError('unauthorized', 'the bearer token is not one that this daemon knows');
  return principal;
}

/** @throws {LeoError} `forbidden` when the route does not name the role. */
export function mustBeAllowed(route: Route, principal: Principal): void {
  if (route.roles !== 'anyone' && !route.roles.includes(principal.role)) {
    throw new LeoError('forbidden', `the role ${principal.role} may not ${route.method} ${route.path}`);
  }
}
