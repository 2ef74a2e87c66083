// What Leo has written below state/, told from what somebody else has put there. A link is a thing of its own here: it is
// never followed, whatever it leads to.

import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Places } from '../../config/paths.js';

export interface StateFiles {
  /** Entries of state/ that are Leo's, by name; a folder with all that is in it. */
  readonly leos: readonly string[];
  /** Those that are not. */
  readonly others: readonly string[];
  /** Every file, folder and link of Leo's, relative to state/, folders with a slash. */
  readonly listed: readonly string[];
}

export function stateFiles(places: Places): StateFiles {
  const { state } = places;
  const isLeos = namesOfLeo(places);
  const [leos, others]: [string[], string[]] = [[], []];
  for (const name of namesIn(state)) (isLeos(name) ? leos : others).push(name);
  return { leos, others, listed: leos.flatMap((name) => withContents(state, name)) };
}

/** The names in a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
}

/** A name counts with what a write that was cut off, a start of the daemon, or a lock leaves beside it. */
function namesOfLeo(places: Places): (name: string) => boolean {
  const known = Object.values(places)
    .filter((path) => path === join(places.state, basename(path)))
    .map((path) => basename(path));
  known.push('leo.sock');
  return (name) =>
    /^\.(?:leo-[0-9a-f]{12}\.new|[0-9a-f]{7})$/.test(name) ||
    known.some((one) => name === one || name.startsWith(`${one}.`));
}

function withContents(folder: string, name: string): readonly string[] {
  if (!lstatSync(join(folder, name)).isDirectory()) return [name];
  const inside = namesIn(join(folder, name)).flatMap((one) => withContents(folder, join(name, one)));
  return [`${name}/`, ...inside];
}
