// Everything that the doctor goes by, gathered at once. Starts no daemon, sends no token, changes no file.

import type { Places } from '../../config/paths.js';
import { readSeenApps } from '../../config/seen-apps.js';
import { version } from '../../config/version.js';
import type { KnownHarness, LookOptions } from '../../setup/index.js';
import type { Facts } from '../facts.js';
import { configOf } from './config.js';
import { daemonOf, portOf } from './daemon.js';
import { foldersOf, foreignIn, freeBytesAt, tokensOf } from './places.js';
import { harnessesOf, installTmuxBy, tmuxOf } from './programs.js';
import { serviceOf } from './service.js';

export interface GatherOptions {
  readonly places: Places;
  /** Leo's own harnesscaps.json. */
  readonly harnesses: readonly KnownHarness[];
  readonly look: Omit<LookOptions, 'versionWithinMs'>;
}

/** Looks at everything; whatever state a thing is in, that is a fact and no error. */
export async function gather({ places, harnesses, look }: GatherOptions): Promise<Facts> {
  const { facts: configFacts, config } = configOf(places);
  const { env, home } = look.surroundings;
  const path = env.PATH;
  const { port, bind } = config?.web ?? { port: 8370, bind: '127.0.0.1' };
  const [daemon, portFacts, tmux, found] = await Promise.all([
    daemonOf(places, path),
    port === 0 ? null : portOf(port, bind),
    tmuxOf(path),
    harnessesOf(places, config, harnesses, look),
  ]);
  return {
    now: Date.now(),
    node: process.versions.node,
    leo: version,
    userHome: home,
    folders: foldersOf(places),
    foreign: foreignIn(places),
    freeBytes: freeBytesAt(places),
    config: configFacts,
    daemon,
    service: serviceOf(places, look.installation, env, [
      ...(tmux.kind === 'found' ? [tmux.path] : []),
      ...found.harnesses.flatMap(({ program }) => program ?? []),
    ]),
    port: portFacts,
    tokens: {
      files: tokensOf(places),
      clients: config === undefined ? null : Object.keys(config.apiClients),
    },
    tmux,
    installTmux: installTmuxBy(path),
    harnesses: found.harnesses,
    harnessCapsFault: found.fault,
    seenApps: readSeenApps(places.seenApps),
  };
}
