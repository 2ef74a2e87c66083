// launchd, of one user who is logged in: what to run, and what it answers. Pure.

import type { ServiceDescription } from './description.js';
import { launchdAgent } from './launchd-agent.js';
import { whatItSaid } from './run-program.js';
import type { ServiceCommands, ServiceState } from './service-state.js';
import { commandLine, run, type Step, tryRun } from './steps.js';

const program = 'launchctl';

/** @param uid the user's; each has a domain of his own. */
export function launchd(uid: number): ServiceCommands {
  const domain = `gui/${uid}`;
  const target = ({ name }: ServiceDescription) => `${domain}/${name}`;
  const load = (service: ServiceDescription) => run(program, 'bootstrap', domain, service.file);
  // Unlike `kickstart -k`, this lets the daemon take its leave, and kills one that does not answer. Unlike a signal, it
  // also stops what launchd is about to start again. What is loaded once more before the end is refused.
  const stop = (service: ServiceDescription): readonly Step[] => [
    tryRun(program, 'bootout', target(service)),
    { kind: 'wait for the end' },
  ];
  const loadAnew = (service: ServiceDescription): readonly Step[] => [
    run(program, 'enable', target(service)),
    load(service),
  ];
  // What launchd has loaded and does not run waits for its turn, up to half a minute, and has its last end to tell.
  const start = (service: ServiceDescription, { loaded, activity }: ServiceState): readonly Step[] => {
    if (activity === 'running') return [run(program, 'kickstart', target(service))];
    return loaded ? [...stop(service), ...loadAnew(service)] : loadAnew(service);
  };
  return {
    text: launchdAgent,
    // Loading starts it. What was loaded before has the old property list.
    installed: (service, now) => [
      ...stop(service),
      ...(now ? loadAnew(service) : [run(program, 'enable', target(service))]),
    ],
    removing: stop,
    removed: [],
    start,
    stop,
    restart: (service) => [...stop(service), ...loadAnew(service)],
    askState: (service) => ({ program, args: ['print', target(service)] }),
    readState: (ran) => {
      if (ran.code === 0) return stateOf(ran.out);
      return /could not find service/i.test(`${ran.err}${ran.out}`) ? notLoaded : undefined;
    },
    fault: (command, ran) => {
      if (ran.missing)
        return 'there is no launchctl here; have another manager of yours run `leo daemon` (docs/operators.md)';
      const said = whatItSaid(ran);
      if (/domain does not support|could not find domain|bootstrap failed: 125/i.test(said))
        return `launchd has no session of yours: log in at the screen of this machine once, then try again (${said})`;
      return `${commandLine(command)}: ${said}`;
    },
  };
}

const notLoaded: ServiceState = {
  loaded: false,
  enabled: undefined,
  activity: 'stopped',
  pid: undefined,
  lastExit: undefined,
  words: 'not loaded',
};

function stateOf(out: string): ServiceState {
  // The service's own lines are indented by one tab; deeper ones are of its parts.
  const says = (key: string) => new RegExp(`^(?:\\t| {1,8})${key} = (.*)$`, 'm').exec(out)?.[1]?.trim();
  const state = says('state') ?? 'unknown';
  const pid = /^\d+$/.exec(says('pid') ?? '')?.[0];
  const exit = /^-?\d+/.exec(says('last exit code') ?? '')?.[0];
  const running = pid !== undefined;
  const waits = state === 'spawn scheduled';
  return {
    loaded: true,
    enabled: true,
    activity: running
      ? 'running'
      : waits
        ? 'starting'
        : exit !== undefined && exit !== '0'
          ? 'failed'
          : 'stopped',
    pid: running ? Number(pid) : undefined,
    lastExit: running || exit === undefined ? undefined : Number(exit),
    words: state,
  };
}
