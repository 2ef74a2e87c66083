// Who is calling (design 10). Pure: headers and the known tokens in, a caller out.

import { LeoError } from '../../wire/errors.js';

/** How a request reached the broker. */
export type Listener = 'socket' | 'tcp';

/** A caller whose claim has been checked. */
export type Principal =
  | {
      readonly role: 'operator' | 'console' | 'agent' | 'device';
      /** Tells one device from another. */
      readonly name: string;
      /** The hash of the token that it showed, or what its session is called; null for a peer of the socket, who needs none. */
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

/** What a request shows of who sent it. */
export interface Credentials {
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined;
  /** Present where it shows a session of the console; looked at only where there is no `Authorization`. */
  readonly console?: (() => Principal) | undefined;
}

/**
 * The caller of a route that is not anyone's.
 *
 * @throws {LeoError} `unauthorized` for nobody.
 */
export function mustBeKnown(principal: Principal | null): Principal {
  if (principal === null) throw new LeoError('unauthorized', 'send a token');
  return principal;
}

const socketPeer: Principal = { role: 'operator', name: 'operator', proof: null };

/**
 * Who a request is from: the owner of its bearer token or of its session, or on the unix socket, without either, the
 * operator.
 *
 * @throws {LeoError} `unauthorized`.
 */
export function principalOf(
  listener: Listener,
  { authorization, console }: Credentials,
  ownerOf: TokenOwner,
): Principal {
  if (authorization === undefined) {
    if (console !== undefined) return console();
    if (listener === 'socket') return socketPeer;
    throw new LeoError(
      'unauthorized',
      "send a token: Authorization: Bearer <token>; the operator's is in state/api.token",
    );
  }
  const principal = bearerOf(authorization, ownerOf);
  if (principal === undefined)
    throw new LeoError('unauthorized', 'the bearer token is not one that this daemon knows');
  return principal;
}

/**
 * Whose bearer token is shown; undefined for none, and for one that nobody has. One space, one token of visible ASCII
 * (RFC 6750, b64token); anything else is no bearer token.
 */
export function bearerOf(authorization: string | undefined, ownerOf: TokenOwner): Principal | undefined {
  const token = /^Bearer ([\x21-\x7e]{1,4096})$/.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : ownerOf(token);
}
