// Everything that the doctor goes by, gathered at once. Starts no daemon, sends no token, changes no file.

import type { Places } from '../../config/paths.js';
import { readSeenApps } from '../../config/seen-apps.js';
import { version } from '../../config/version.js';
import type { KnownHarness, LookOptions } from '../../setup/index.js';
import type { Facts } from '../facts.js';
import { configOf } from './config.js';
import { daemonOf, portOf } from './daemon.js';
import { foldersOf, tokensOf } from './places.js';
import { harnessesOf, tmuxOf } from './programs.js';

export interface GatherOptions {
  readonly places: Places;
  /** Leo's own harnesscaps.json. */
  readonly harnesses: readonly KnownHarness[];
  readonly look: Omit<LookOptions, 'versionWithinMs'>;
}

/** Looks at everything; whatever state a thing is in, that is a fact and no error. */
export async function gather({ places, harnesses, look }: GatherOptions): Promise<Facts> {
  const { facts: configFacts, config } = configOf(places);
  const { port, bind } = config?.web ?? { port: 8370, bind: '127.0.0.1' };
  const [daemon, portFacts, tmux, found] = await Promise.all([
    daemonOf(places),
    port === 0 ? null : portOf(port, bind),
    tmuxOf(look.surroundings.env.PATH),
    harnessesOf(places, config, harnesses, look),
  ]);
  return {
    now: Date.now(),
    platform: process.platform,
    node: process.versions.node,
    leo: version,
    folders: foldersOf(places),
    config: configFacts,
    daemon,
    port: portFacts,
    tokens: {
      files: tokensOf(places),
      clients: config === undefined ? null : Object.keys(config.apiClients),
    },
    tmux,
    harnesses: found.harnesses,
    harnessCapsFault: found.fault,
    seenApps: readSeenApps(places.seenApps),
  };
}
