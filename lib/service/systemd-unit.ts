// The unit of a systemd user manager. Pure.
//
// What must stay true: whoever stops or starts the daemon anew takes no agent away. They run in tmux, whose server the
// daemon has started and which therefore lives in the unit's control group and has what the unit imposes:
//
// - `KillMode=process`: a stop ends the daemon alone. The usual `control-group` would end tmux and every agent.
// - `OOMPolicy=continue`: an agent that the kernel kills for want of memory is no reason to stop the daemon.
// - `TasksMax=infinity`: a build inside an agent is not held to the share of one small service.
// - No `UMask=`: files that agents write would be closed to others. Leo makes its own with their modes by itself.
// - No `PrivateTmp=`: the tmux socket lies below /tmp, and so does Leo's own where LEO_HOME has a long path.
// - No `ProtectHome=`, `ProtectSystem=`: agents need the user's whole home, and a user manager can only give these in
//   a user namespace, in which sudo works no more and which some systems forbid.
// - `NoNewPrivileges=`, and every filter of system calls, which brings it along in a user manager: an agent could not
//   use sudo, rootless containers or a debugger. So only where the user asks for it (`--harden`), because none of the
//   agents is started by Leo, or none needs that.
// - `LimitCORE=0`: a core would hold tokens and arguments of calls. It is the soft limit: an agent may raise it.
//
// `Type=exec`: a start has succeeded when Node was found and started. `notify` would say when the socket answers, but
// Node cannot send the datagram that it takes; `leo service start` asks the socket itself.

import { daemonExit } from '../config/daemon-exit.js';
import type { ServiceDescription } from './description.js';
import { ServiceError } from './service-error.js';

const sayHardened = '# leo service install --harden';

/** What the daemon itself can do without; tried with the real daemon in a test. */
const hardening = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictNamespaces=yes',
  // Netlink is how Node lists the addresses of the machine.
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
];

/** @throws {ServiceError} where a path cannot be written into a unit. */
export function systemdUnit({ command: [node, ...args], variables, hardened }: ServiceDescription): string {
  const environment = Object.entries(variables).map(
    ([key, value]) => `Environment=${quoted(`${key}=${value}`)}`,
  );
  return [
    '# Written by `leo service install`, which writes it anew. For changes of your own: systemctl --user edit',
    '[Unit]',
    'Description=Leo, which lends the abilities of apps to coding agents',
    '# Ten starts in five minutes, then it stays down until it is started by hand: the address of a private network may',
    '# come a while after the login.',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[programPath(node), ...args.map(argument)].join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    ...environment,
    'Restart=on-failure',
    'RestartSec=5',
    '# Another daemon has this LEO_HOME, or leo.yaml cannot be used: no start mends that.',
    `RestartPreventExitStatus=${daemonExit.running} ${daemonExit.config}`,
    '# Agents in tmux outlive the daemon.',
    'KillMode=process',
    'OOMPolicy=continue',
    'TasksMax=infinity',
    'TimeoutStopSec=15',
    'LimitCORE=0:infinity',
    ...(hardened ? [sayHardened, ...hardening] : []),
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** Whether the text of a unit is hardened. */
export function isHardened(unit: string): boolean {
  return unit.split('\n').includes(sayHardened);
}

/** A text in double quotes, as systemd.syntax reads it: `%` begins a specifier. */
function quoted(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new ServiceError(`a systemd unit cannot hold control characters: ${JSON.stringify(text)}`);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

/** The path of a program, in which `$` is no variable and some characters are refused. */
function programPath(path: string): string {
  if (/["'\\]/.test(path))
    throw new ServiceError(`systemd starts no program with a quote or a backslash in its path: ${path}`);
  return quoted(path);
}

/** An argument of a command line, in which `$` would begin a variable, too. */
function argument(text: string): string {
  return quoted(text).replaceAll('$', '$$$$');
}
