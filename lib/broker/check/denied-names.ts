// The names in `deny_tools` (design 11), held against the tools that there are. Pure.

import type { Config } from '../../config/config.js';
import { isGlob } from '../../wire/deny.js';

/** A name in `deny_tools` that denies nothing. */
export interface UnknownDenied {
  /** Where it stands in leo.yaml. */
  readonly path: readonly (string | number)[];
  /** `odd`: a glob, whose tools may come. `wrong`: a name, most likely misspelt. */
  readonly what: 'odd' | 'wrong';
  readonly message: string;
}

/**
 * What in `deny_tools` is of no tool.
 *
 * @param matches whether a name or glob is of a tool of Leo's, or of one that was ever registered.
 */
export function unknownDenied(
  { denyTools, agents, templates }: Pick<Config, 'denyTools' | 'agents' | 'templates'>,
  matches: (pattern: string) => boolean,
): readonly UnknownDenied[] {
  const lists: (readonly [readonly string[], readonly string[]])[] = [[['deny_tools'], denyTools]];
  for (const [key, owners] of Object.entries({ agents, templates })) {
    for (const [name, owner] of Object.entries(owners))
      lists.push([[key, name, 'deny_tools'], owner.denyTools]);
  }
  return lists.flatMap(([path, names]) =>
    names.flatMap((name, index) => {
      if (matches(name)) return [];
      const glob = isGlob(name);
      const why = glob
        ? 'matches no tool that was ever registered'
        : "is neither a tool of Leo's nor one that was ever registered; mend the name or take it out";
      const unknown: UnknownDenied = {
        path: [...path, index],
        what: glob ? 'odd' : 'wrong',
        message: `${path.join('.')}: "${name}" ${why}`,
      };
      return [unknown];
    }),
  );
}
