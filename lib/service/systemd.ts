// The systemd user manager: what to run, and what it answers. Pure.

import type { ServiceDescription } from './description.js';
import { whatItSaid } from './run-program.js';
import type { ServiceCommands, ServiceState } from './service-state.js';
import { commandLine, run, tryRun } from './steps.js';
import { systemdUnit } from './systemd-unit.js';

const program = 'systemctl';
const userManager = (...args: readonly string[]) => run(program, '--user', ...args);
// A service that has used up its start limit is not started before that is forgotten.
const forget = (name: string) => tryRun(program, '--user', 'reset-failed', name);
const restart = ({ name }: ServiceDescription) => [forget(name), userManager('restart', name)];

export const systemd: ServiceCommands = {
  text: systemdUnit,
  installed: (service, start) => [
    userManager('daemon-reload'),
    userManager('enable', service.name),
    ...(start ? restart(service) : []),
  ],
  removing: ({ name }) => [userManager('disable', '--now', name)],
  removed: [userManager('daemon-reload')],
  start: ({ name }) => [forget(name), userManager('start', name)],
  stop: ({ name }) => [userManager('stop', name)],
  restart,
  askState: ({ name }) => ({
    program,
    args: [
      '--user',
      'show',
      name,
      '--property=LoadState,UnitFileState,ActiveState,SubState,MainPID,ExecMainCode,ExecMainStatus,Result',
    ],
  }),
  readState: ({ code, out }) => (code === 0 ? stateOf(out) : undefined),
  fault: (command, ran) => {
    if (ran.missing || /not been booted with systemd/i.test(ran.err))
      return 'systemd does not run this machine; have another manager of yours run `leo daemon` (docs/operators.md)';
    if (/connect to (?:user scope )?bus|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS/i.test(ran.err))
      return 'no systemd manager of your user answers: log in as that user (not by su or sudo); for one that runs without a login: sudo loginctl enable-linger $USER';
    return `${commandLine(command)}: ${whatItSaid(ran)}`;
  },
};

function stateOf(out: string): ServiceState | undefined {
  const says = new Map(
    out.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()] as const];
    }),
  );
  const active = says.get('ActiveState');
  if (active === undefined) return undefined;
  const pid = Number(says.get('MainPID') ?? 0);
  const result = says.get('Result') ?? 'success';
  // 1 is CLD_EXITED; anything else is a signal, or no end yet.
  const exited = says.get('ExecMainCode') === '1' && pid === 0;
  return {
    loaded: says.get('LoadState') === 'loaded',
    enabled: says.get('UnitFileState') === 'enabled',
    activity: activities[active] ?? 'stopped',
    pid: pid > 0 ? pid : undefined,
    lastExit: exited ? Number(says.get('ExecMainStatus')) : undefined,
    words: `${active} (${says.get('SubState') ?? '?'})${result === 'success' ? '' : `, ${result}`}`,
  };
}

const activities: Readonly<Record<string, ServiceState['activity'] | undefined>> = {
  active: 'running',
  reloading: 'running',
  // Also while it waits to be started again.
  activating: 'starting',
  failed: 'failed',
};
