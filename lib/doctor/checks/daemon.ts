// Whether a daemon answers at the socket, and whether it is the only one of this home.

import { shellWord } from '../../config/shell-word.js';
import type { DaemonFacts, Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { octal } from '../words.js';

export function checkDaemon({ daemon, config }: Pick<Facts, 'daemon' | 'config'>): readonly Line[] {
  return [...checkSocket(daemon, config.autostart), ...checkAlone(daemon)];
}

function checkSocket(daemon: DaemonFacts, autostart: boolean): readonly Line[] {
  const { socket, plainBytes, maxBytes, mode } = daemon;
  const lines = [stateOf(daemon, autostart)];
  if (plainBytes > maxBytes) {
    const text = `the path of this home is long: state/leo.sock would have ${plainBytes} bytes, and ${maxBytes} work; it is ${socket} instead`;
    lines.push(warn('socket', text, 'export LEO_HOME=~/.leo'));
  }
  if (daemon.state === 'alive' && mode !== null && (mode & 0o077) !== 0) {
    const text = `${socket} is open to others (mode ${octal(mode)}), and whoever opens it is the operator`;
    lines.push(fail('socket', text, `chmod 600 ${shellWord(socket)}`));
  }
  return lines;
}

function stateOf(daemon: DaemonFacts, autostart: boolean): Line {
  const { socket, state, answer, file } = daemon;
  const pid = file === null ? '' : ` (pid ${file.pid})`;
  switch (state) {
    case 'no socket':
      return fail(
        'socket',
        `${socket} is in the way: it is no socket, and Leo does not remove it`,
        `mv ${shellWord(socket)} ${shellWord(`${socket}.old`)}`,
      );
    case 'stale':
      return warn(
        'socket',
        `${socket} was left by a daemon that was killed; the next one replaces it`,
        start(daemon),
      );
    case 'none':
      if (isWithoutSocket(daemon)) {
        const text = `the daemon${pid} runs, but its socket ${socket} is gone: nobody finds it`;
        return fail('socket', text, restart(daemon));
      }
      return warn('socket', whoStartsOne(daemon, autostart), start(daemon));
    case 'alive':
      break;
  }
  switch (answer.kind) {
    case 'leo':
      return pass('socket', `a daemon answers at ${socket}`);
    case 'silent':
      return fail('socket', `the daemon${pid} at ${socket} ${silence(daemon)}`, wake(daemon));
    case 'denied':
      return fail(
        'socket',
        `${socket} belongs to another user; use a home of your own`,
        'export LEO_HOME=~/.leo',
      );
    case 'refused':
      return warn('socket', `the daemon at ${socket} has just ended`, start(daemon));
    case 'other':
      return fail(
        'socket',
        `what listens at ${socket} does not answer as a daemon of Leo's: ${answer.why}`,
        `lsof ${shellWord(socket)}`,
      );
  }
}

function silence({ file }: DaemonFacts): string {
  return file?.stopped === false ? 'does not answer; it hangs' : 'does not answer; it may be stopped';
}

/** A daemon that runs and answers over HTTP, but has lost its socket. */
function isWithoutSocket({ state, file }: DaemonFacts): boolean {
  return state !== 'alive' && file?.runs === true && file.answer.kind === 'leo';
}

function checkAlone(daemon: DaemonFacts): readonly Line[] {
  const { socket, answer, others, file } = daemon;
  const lines = others.map((other) =>
    fail(
      'daemon',
      `a second daemon of this home listens at ${other}; apps and agents may sit at different ones`,
      `kill $(lsof -t ${shellWord(other)})`,
    ),
  );
  if (answer.kind !== 'leo') return lines;
  if (file === null) {
    const text = `a daemon answers at ${socket}, but state/daemon.json is gone: its pid and port are not known`;
    return [...lines, warn('daemon', text, restart(daemon))];
  }
  if (!file.runs) {
    const text = `state/daemon.json names the pid ${file.pid}, which is gone, and another daemon answers at ${socket}`;
    return [...lines, fail('daemon', text, restart(daemon))];
  }
  const http = file.answer;
  if (http.kind === 'leo' && !isSame(http, answer)) {
    const text = `two daemons: one answers at ${socket}, another one (pid ${file.pid}, say) at ${file.http}`;
    return [...lines, fail('daemon', text, `kill ${file.pid}`)];
  }
  return lines.length > 0 ? lines : [pass('daemon', `one daemon runs (pid ${file.pid})`)];
}

interface Healthy {
  readonly version: string;
  readonly uptimeS: number;
}

/** Whether two answers are of one daemon; they were asked for one after the other. */
export function isSame(a: Healthy, b: Healthy): boolean {
  return a.version === b.version && Math.abs(a.uptimeS - b.uptimeS) <= 3;
}

/** What starts a daemon. */
function start({ serviceInstalled }: DaemonFacts): string {
  return serviceInstalled ? 'leo service start' : 'leo daemon';
}

function whoStartsOne({ serviceInstalled }: DaemonFacts, autostart: boolean): string {
  if (serviceInstalled) return 'no daemon runs; its service does not start it';
  return autostart
    ? 'no daemon runs; a gateway starts one when its agent needs it'
    : 'no daemon runs; leo.yaml says daemon.autostart: false, so no gateway starts one';
}

/** What restarts the daemon that runs. */
export function restart(daemon: DaemonFacts): string {
  return restartBy(daemon, 'kill');
}

/** What has a daemon that does not answer do so again: one that was stopped goes on, one that hangs is killed. */
export function wake(daemon: DaemonFacts): string {
  return daemon.file?.stopped === false ? restartBy(daemon, 'kill -9') : `kill -CONT ${pidOf(daemon)}`;
}

function restartBy(daemon: DaemonFacts, kill: string): string {
  if (daemon.file?.service === true) return 'leo service restart';
  return `${kill} ${pidOf(daemon)}; ${start(daemon)}`;
}

function pidOf({ socket, file }: DaemonFacts): string {
  return file?.runs === true ? String(file.pid) : `$(lsof -t ${shellWord(socket)})`;
}
