// What there is to say of each harness: whether it is there, which Leo it starts, and how it is served.

import { join } from 'node:path';
import { shellWord } from '../../config/shell-word.js';
import type { HarnessLook } from '../../setup/index.js';
import type { Facts } from '../facts.js';
import { fail, type Line, pass, type Status, warn } from '../line.js';
import { compareVersions } from '../versions.js';

export function checkHarnesses({
  harnesses,
  folders,
}: Pick<Facts, 'harnesses' | 'folders'>): readonly Line[] {
  const home = folders.find(({ role }) => role === 'home')?.path ?? '~/.leo';
  return harnesses.flatMap((look) => {
    const lines = [...setUpFaults(look), ...versionFaults(look, home)];
    if (lines.length > 0) return lines;
    const { name, program } = look;
    return [
      pass('harness', program === null ? `${name}: not on PATH` : `${described(look)}${startsLeo(look)}`),
    ];
  });
}

function described({ name, version, tools }: HarnessLook): string {
  const served = tools === 'native' ? 'tools as its own' : 'tools through leo_app_tools';
  return `${name} ${version ?? '(version not known)'}: ${served}`;
}

function startsLeo({ set_up }: HarnessLook): string {
  const scopes = set_up.flatMap(({ scope, points }) => (points === 'this' ? [scope] : []));
  return scopes.length === 0 ? '' : `; starts this Leo (${scopes.join(', ')})`;
}

function setUpFaults(look: HarnessLook): readonly Line[] {
  const { name, program, set_up } = look;
  if (set_up.length === 0 && program !== null) {
    return [warn('harness', `${described(look)}; not set up to start Leo`, `leo harness setup ${name}`)];
  }
  return set_up.flatMap(({ scope, path, points, command, error }) => {
    const mend = `leo harness setup ${name}${scope === 'project' ? ' --scope project' : ''}`;
    const say = (status: Status, text: string): Line => ({
      check: 'harness',
      status,
      text: `${name}: ${text}`,
      mend,
    });
    if (error !== null) return [fail('harness', `${name}: ${error}`)];
    switch (points) {
      case 'missing':
        return [say('fail', `${path} starts ${command.slice(0, 2).join(' ')}, which is gone`)];
      case 'another':
        return [
          say(
            'warn',
            `${path} starts another Leo, or with another LEO_HOME: ${command.slice(0, 2).join(' ')}`,
          ),
        ];
      case 'not leo':
        return [
          say('warn', `the entry "leo" in ${path} starts something else: ${command.slice(0, 2).join(' ')}`),
        ];
      default:
        return [];
    }
  });
}

function versionFaults(look: HarnessLook, home: string): readonly Line[] {
  const { name, program, version, measured, tools, seen } = look;
  if (program === null) return [];
  if (version === null) {
    return [warn('harness', `${name}: ${program} does not say its version`, `${program} --version`)];
  }
  const lines: Line[] = [];
  const caps = shellWord(join(home, 'harnesscaps.json'));
  const now = seen.find((one) => one.version === version);
  if (tools === 'native' && now?.relists === false) {
    const text = `${described(look)}${startsLeo(look)}; but it was seen not to list them again; its next session uses leo_app_tools`;
    lines.push(warn('harness', text, `leo harness probe ${name} --write ${caps}`));
  } else if (measured !== null && compareVersions(version, measured) > 0 && now === undefined) {
    const text = `${described(look)}${startsLeo(look)}; newer than ${measured}, which was measured`;
    lines.push(warn('harness', text, `leo harness probe ${name} --quick --write ${caps}`));
  }
  return lines;
}
