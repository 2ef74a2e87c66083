// Whether the daemon and the gateways are of this version of Leo. Neighbouring minor versions understand each other.

import type { Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { compareVersions, understandEachOther } from '../versions.js';
import { restart } from './daemon.js';

export function checkVersions({ leo, daemon }: Pick<Facts, 'leo' | 'daemon'>): readonly Line[] {
  const { answer, agents, file } = daemon;
  // A daemon that does not answer has said its version when it started.
  const running = answer.kind === 'leo' ? answer.version : file?.runs === true ? file.version : undefined;
  if (running === undefined) return [];
  const lines: Line[] = [];
  if (running !== leo) {
    const text = `the daemon is Leo ${running}, this is Leo ${leo}`;
    if (!understandEachOther(running, leo))
      lines.push(fail('versions', `${text}: too far apart`, restart(daemon)));
    else lines.push(warn('versions', text, restart(daemon)));
  }
  for (const { name, versions } of agents ?? []) {
    for (const version of versions) {
      if (version === running) continue;
      const text = `the gateway of ${name} is Leo ${version}, the daemon Leo ${running}`;
      if (compareVersions(version, running) > 0) lines.push(warn('versions', text, restart(daemon)));
      else lines.push(warn('versions', `${text}: start its session anew`));
    }
  }
  if (lines.length > 0) return lines;
  const gateways = (agents ?? []).reduce((sum, { versions }) => sum + versions.length, 0);
  return [pass('versions', `Leo ${leo}, and so is the daemon${gateways === 0 ? '' : ' and every gateway'}`)];
}
