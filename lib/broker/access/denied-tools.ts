// What leo.yaml denies an agent by its name (design 11). Pure.
//
// An attached agent says its name itself, and a shorthand does not tell case apart (design 9): so neither does this,
// or an agent that calls itself `Rocket` would be free of what `rocket` is denied.

import type { Config } from '../../config/config.js';

/** The names and globs that an agent is denied: everybody's, and those of every entry that is of its name. */
export function deniedByConfig(
  { denyTools, agents }: Pick<Config, 'denyTools' | 'agents'>,
  agent: string,
): readonly string[] {
  const folded = agent.toLowerCase();
  const own = Object.entries(agents).filter(([name]) => name.toLowerCase() === folded);
  return [...denyTools, ...own.flatMap(([, entry]) => entry.denyTools)];
}
