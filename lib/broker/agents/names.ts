// Names of agents (design 9): which one a new agent gets, and which agent a shorthand means. Pure.

import { LeoError } from '../../wire/errors.js';

/** A template's name for a new agent, with `-2`, `-3` and so on where it is taken; case does not tell two apart. */
export function freeName(template: string, taken: Iterable<string>): string {
  const folded = new Set([...taken].map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`;
    const name = `${template.slice(0, 48 - ending.length)}${ending}`;
    if (!folded.has(name.toLowerCase())) return name;
  }
}

/** Whether a name is taken; case does not tell two apart. */
export function isTaken(name: string, taken: Iterable<string>): boolean {
  const folded = name.toLowerCase();
  return [...taken].some((other) => other.toLowerCase() === folded);
}

/** What a name means: one agent, none, or more than one. */
export type Meant =
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly choices: readonly string[] };

/**
 * Which agent is meant: the name as written, then the same in other case, then the one that ends in it.
 *
 * @param names those that there are, each once.
 */
export function meantBy(wanted: string, names: Iterable<string>): Meant {
  const all = [...names];
  if (all.includes(wanted)) return { kind: 'one', name: wanted };
  const folded = wanted.toLowerCase();
  const same = all.filter((name) => name.toLowerCase() === folded);
  const found =
    same.length > 0 || folded === '' ? same : all.filter((name) => name.toLowerCase().endsWith(folded));
  const [first, second] = found;
  if (first === undefined) return { kind: 'none' };
  return second === undefined ? { kind: 'one', name: first } : { kind: 'several', choices: found.sort() };
}

/**
 * The one agent that is meant.
 *
 * @throws {LeoError} `not_found`, or `invalid_request` with the choices.
 */
export function agentMeant(wanted: string, names: Iterable<string>): string {
  const meant = meantBy(wanted, names);
  if (meant.kind === 'one') return meant.name;
  if (meant.kind === 'none')
    throw new LeoError('not_found', `no agent ${JSON.stringify(wanted)}; see them with: leo agent list`);
  throw new LeoError(
    'invalid_request',
    `${JSON.stringify(wanted)} may mean ${meant.choices.join(', ')}: name the one that you mean`,
  );
}
