// The doctor's decisions: facts in, lines out, in the order in which things depend on each other. Pure.

import { checkApps } from './checks/apps.js';
import { checkConfig } from './checks/config.js';
import { checkDaemon } from './checks/daemon.js';
import { checkHarnesses } from './checks/harnesses.js';
import { checkHome } from './checks/home.js';
import { checkNode } from './checks/node.js';
import { checkPort } from './checks/port.js';
import { checkService } from './checks/service.js';
import { checkTmux } from './checks/tmux.js';
import { checkTokens } from './checks/tokens.js';
import { checkVersions } from './checks/versions.js';
import type { Facts } from './facts.js';
import type { Line } from './line.js';

/** What is to be said of the facts. */
export function diagnose(facts: Facts): readonly Line[] {
  return [
    checkNode,
    checkHome,
    checkConfig,
    checkDaemon,
    checkService,
    checkPort,
    checkVersions,
    checkTokens,
    checkTmux,
    checkHarnesses,
    checkApps,
  ].flatMap((check) => check(facts));
}
