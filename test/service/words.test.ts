// What a person is told of a service, from what its manager says.

import t from 'tap';
import { whyNot } from '../../lib/cli/service/started.js';
import { nextStep } from '../../lib/cli/service/status.js';
import type { Manager } from '../../lib/service/description.js';
import type { ServiceState } from '../../lib/service/service-state.js';

t.test('why no daemon will come, or nothing while one may', async (t) => {
  const rows: readonly (readonly [
    Manager,
    ServiceState['activity'],
    lastExit: number | undefined,
    why: string | undefined,
  ])[] = [
    ['systemd', 'running', undefined, undefined],
    ['systemd', 'starting', undefined, undefined],
    ['systemd', 'starting', 1, 'exit code 1; systemd tries again'],
    ['launchd', 'starting', undefined, undefined],
    ['launchd', 'starting', 1, 'exit code 1; launchd tries again'],
    ['systemd', 'stopped', undefined, undefined],
    ['systemd', 'stopped', 0, 'it was told to end'],
    ['systemd', 'failed', undefined, 'the manager says: its words'],
    ['systemd', 'failed', 1, 'exit code 1'],
    ['systemd', 'failed', 75, 'another daemon has this LEO_HOME'],
    ['systemd', 'failed', 78, 'leo.yaml, or a file of LEO_HOME, cannot be used'],
    ['launchd', 'failed', 1, 'exit code 1'],
    [
      'launchd',
      'stopped',
      0,
      'it has ended, and not by a crash: stopped, or another daemon has this LEO_HOME, or leo.yaml cannot be used',
    ],
  ];
  for (const [manager, activity, lastExit, why] of rows) {
    const state = { loaded: true, enabled: true, activity, pid: undefined, lastExit, words: 'its words' };
    t.equal(whyNot(state, manager), why, `${manager}, ${activity}, ${lastExit}`);
  }
});

t.test('the command to type next, or none where all is well', async (t) => {
  const well = { installed: true, ours: true, outside: false, hangs: false, gone: undefined };
  const rows = [
    [{}, undefined],
    [{ installed: false }, 'Install it: leo service install'],
    [{ gone: '/old/node' }, 'What it starts is gone: /old/node. Install it anew: leo service install'],
    [
      { ours: false, outside: true },
      'Have the service take over: end the daemon outside it, then: leo service start',
    ],
    [{ ours: false }, 'See why: leo doctor, or leo service logs   Start it: leo service start'],
    [
      { ours: false, hangs: true },
      'See why: leo doctor, or leo service logs   Start it anew: leo service restart',
    ],
  ] as const;
  for (const [change, words] of rows) t.equal(nextStep({ ...well, ...change }), words);
});
