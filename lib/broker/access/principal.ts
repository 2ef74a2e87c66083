// Who is calling (design 10). Pure: headers and the known tokens in, a caller out.

import { LeoError } from '../../wire/errors.js';

/** How a request reached the broker. */
export type Listener = 'socket' | 'tcp';

/** A caller whose claim has been checked. */
export type Principal =
  | {
      readonly role: 'operator' | 'agent' | 'device';
      /** Tells one device from another. */
      readonly name: string;
      /** The hash of the token that it showed; null for a peer of the socket, who needs none. */
      readonly proof: string | null;
    }
  | {
      readonly role: 'client';
      readonly name: string;
      readonly proof: string;
      /** Names of agents, or globs, as leo.yaml has them. */
      readonly canMessage: readonly string[];
    };

/** Says whose a bearer token is; undefined for a token that nobody has. */
export type TokenOwner = (token: string) => Principal | undefined;

const socketPeer: Principal = { role: 'operator', name: 'operator', proof: null };

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
    if (listener === 'socket') return socketPeer;
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
