// Whether the port of leo.yaml is the daemon's, and who has it otherwise.

import type { Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { isSame, restart, wake } from './daemon.js';

export function checkPort({ port, daemon }: Pick<Facts, 'port' | 'daemon'>): readonly Line[] {
  const { answer, file } = daemon;
  const runs = answer.kind === 'leo' && file !== null;
  if (runs && (port === null || !endsInPort(file.http, port.port))) return [ofDaemon(daemon, port?.port)];
  if (port === null) return [pass('port', 'web.port is 0: the daemon takes a free one')];
  const { port: number } = port;
  const see = `lsof -nP -iTCP:${number} -sTCP:LISTEN`;
  switch (port.answer.kind) {
    case 'leo':
      if (runs && isSame(port.answer, answer)) return [pass('port', `${file.http} is the daemon's`)];
      if (file?.runs === true && endsInPort(file.http, number)) {
        return [pass('port', `${file.http} is the daemon's (pid ${file.pid})`)];
      }
      return [
        fail(
          'port',
          `port ${number} is taken by a daemon of Leo's with another LEO_HOME (Leo ${port.answer.version}); give this one another: web: { port: ${number + 1} } in leo.yaml`,
          see,
        ),
      ];
    case 'refused':
      if (runs) return [fail('port', `the daemon does not listen at ${file.http} any more`, restart(daemon))];
      return [pass('port', `port ${number} is free`)];
    case 'silent':
    case 'denied':
    case 'other':
      if (file?.runs === true && endsInPort(file.http, number) && port.answer.kind === 'silent') {
        return [
          warn(
            'port',
            `port ${number} is the daemon's (pid ${file.pid}), which does not answer`,
            wake(daemon),
          ),
        ];
      }
      return [
        fail(
          'port',
          `port ${number} is taken by another program; end it, or set web: { port: ${number + 1} } in leo.yaml`,
          see,
        ),
      ];
  }
}

/** The daemon listens elsewhere than leo.yaml says, which its own port or an older leo.yaml explains. */
function ofDaemon(daemon: Facts['daemon'], wanted: number | undefined): Line {
  const { file } = daemon;
  if (file === null) return pass('port', 'not known');
  if (file.answer.kind !== 'leo')
    return fail('port', `the daemon does not answer at ${file.http}`, restart(daemon));
  const said =
    wanted === undefined ? '' : `; leo.yaml says ${wanted}, which counts from a start without --port on`;
  return pass('port', `the daemon is at ${file.http}${said}`);
}

function endsInPort(url: string, port: number): boolean {
  return URL.canParse(url) && Number(new URL(url).port || 80) === port;
}
