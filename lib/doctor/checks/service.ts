// Whether the service that is to start the daemon can do so.

import type { Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';

export function checkService({
  service,
  daemon,
  config,
}: Pick<Facts, 'service' | 'daemon' | 'config'>): readonly Line[] {
  if (service === null) return [pass('service', 'none is installed (leo service install)')];
  const { manager, name, gone, leo, isThis, unseen, lingers, remote } = service;
  const install = 'leo service install';
  if (gone !== null) return [fail('service', `${name} of ${manager} starts ${gone}, which is gone`, install)];
  const lines: Line[] = [];
  if (!isThis) lines.push(warn('service', `${name} of ${manager} starts another Leo: ${leo}`, install));
  if (daemon.file?.runs === true && daemon.answer.kind === 'leo' && !daemon.file.service) {
    const text = `the daemon (pid ${daemon.file.pid}) was started outside ${name}, which therefore cannot start its own`;
    lines.push(warn('service', text, `kill ${daemon.file.pid}; leo service start`));
  }
  // Who has no template starts no agent.
  if (unseen.length > 0 && config.templates > 0) {
    const text = `the PATH of ${name} is older than your shell's, so agents that Leo starts do not find ${unseen.join(', ')}`;
    lines.push(warn('service', text, install));
  }
  if (lingers === false && remote) {
    const text = `${name} and the agents that Leo has started may end when you log out`;
    lines.push(warn('service', text, 'loginctl enable-linger'));
  }
  return lines.length > 0 ? lines : [pass('service', `${name} of ${manager} starts the daemon`)];
}
