// The tokens that the daemon knows, and whose they are. Pure; only hashes stay in memory.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal } from './principal.js';

type Owner<P> = P extends Principal ? Omit<P, 'proof'> : never;
/** Whose a token is, before it was shown. */
export type TokenHolder = Owner<Principal>;

export class TokenTable {
  readonly #known: readonly { readonly hash: Buffer; readonly principal: Principal }[];

  constructor(tokens: readonly { readonly token: string; readonly holder: TokenHolder }[]) {
    this.#known = tokens.map(({ token, holder }) => {
      const hash = hashOf(token);
      return { hash, principal: { ...holder, proof: hash.toString('hex') } };
    });
  }

  /** Whose a bearer is, in a time that tells nothing of how much of it was right or whose it nearly was. */
  ownerOf(bearer: string): Principal | undefined {
    const hash = hashOf(bearer);
    let owner: Principal | undefined;
    for (const known of this.#known) if (timingSafeEqual(hash, known.hash)) owner ??= known.principal;
    return owner;
  }

  /** Whether a caller would still be let in as who it was let in as. */
  holds({ role, name, proof }: Principal): boolean {
    return (
      proof === null ||
      this.#known.some(
        ({ principal }) => principal.role === role && principal.name === name && principal.proof === proof,
      )
    );
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
