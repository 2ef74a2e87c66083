// The entry that starts Leo, and what one that is found in a file starts. Names are absolute: a harness may start
// its servers from anywhere, with another PATH.

import { existsSync } from 'node:fs';
import { findProgram } from './disk/find-program.js';
import { isSameFile } from './disk/lasting-path.js';
import { harnesses } from './harnesses.js';
import type { HarnessName, ServerEntry } from './types.js';

/** How the server is called in every harness. */
export const serverName = 'leo';

/** A call may wait this long, where the harness lets itself be told; in seconds. */
export const usualLimitS = 3600;

/** The gateway takes no more. */
const mostS = 2_000_000;

/** One installation of Leo. */
export interface Installation {
  /** The Node that runs it. */
  readonly node: string;
  /** Its bin/leo.js. */
  readonly leo: string;
  /** Its LEO_HOME, unless that is the default. */
  readonly home: string | undefined;
}

/**
 * The entry for one harness.
 *
 * @param agent the agent's name; undefined lets the gateway find one.
 * @param raisedS a limit that the user has set, which stays.
 */
export function leoEntry(
  harness: HarnessName,
  installation: Installation,
  agent: string | undefined,
  raisedS: number | undefined,
): ServerEntry {
  return entryWith(
    installation,
    agent,
    Math.min(raisedS ?? Math.max(harnesses[harness].limitS, usualLimitS), mostS),
  );
}

/** The entry for a harness of which nothing is known. */
export function entryWith(
  { node, leo, home }: Installation,
  agent: string | undefined,
  callLimitS: number | undefined,
): ServerEntry {
  return {
    name: serverName,
    command: node,
    args: [
      leo,
      'mcp-server',
      ...(agent === undefined ? [] : ['--agent', agent]),
      ...(callLimitS === undefined ? [] : ['--call-timeout', String(callLimitS)]),
    ],
    // As a variable: codex passes none on but those of the entry.
    env: home === undefined ? {} : { LEO_HOME: home },
    callLimitS,
  };
}

/** What an entry starts: this Leo, another one, one that is not there any more, or something else. */
export type Points = 'this' | 'another' | 'missing' | 'not leo';

/** @param path the PATH on which a command is looked for that was written without a folder, as `leo` by hand. */
export function pointsAt(
  { command, args, env }: ServerEntry,
  { node, leo, home }: Installation,
  path: string | undefined,
): Points {
  const at = args.indexOf('mcp-server');
  if (at < 0) return 'not leo';
  const words = args.slice(0, at);
  const program = command.includes('/') ? command : findProgram(command, path);
  if (
    program === undefined ||
    ![program, ...words].every((word) => !word.startsWith('/') || existsSync(word))
  )
    return 'missing';
  // The link that npm makes for `leo` leads to bin/leo.js itself.
  const [script = ''] = words;
  const isThis =
    words.length === 0 ? isSameFile(program, leo) : isSameFile(program, node) && isSameFile(script, leo);
  return isThis && env.LEO_HOME === home ? 'this' : 'another';
}
