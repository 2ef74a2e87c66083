// What there is to say of each harness: whether it is there, which Leo it starts, and how it is served.

import type { HarnessLook } from '../../setup/index.js';
import type { Facts } from '../facts.js';
import { fail, type Line, pass, type Status, warn } from '../line.js';
import { compareVersions } from '../versions.js';

export function checkHarnesses({ harnesses }: Pick<Facts, 'harnesses'>): readonly Line[] {
  return harnesses.flatMap((look) => {
    const lines = [...setUpFaults(look), ...versionFaults(look)];
    return lines.length > 0 ? lines : [summary(look)];
  });
}

/** A harness about which nothing is to be mended. */
function summary(look: HarnessLook): Line {
  const { name, program, set_up } = look;
  if (program === null) return pass('harness', `${name}: not on PATH`);
  if (set_up.length === 0) {
    return warn('harness', `${described(look)}; not set up to start Leo`, `leo harness setup ${name}`);
  }
  return pass(
    'harness',
    `${described(look)}; starts this Leo (${set_up.map(({ scope }) => scope).join(', ')})`,
  );
}

function described({ name, version, tools }: HarnessLook): string {
  const served = tools === 'native' ? 'tools as its own' : 'tools through leo_app_tools';
  return `${name} ${version ?? '(version not known)'}: ${served}`;
}

function setUpFaults({ name, set_up }: HarnessLook): readonly Line[] {
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

function versionFaults(look: HarnessLook): readonly Line[] {
  const { name, program, version, measured, tools, seen } = look;
  if (program === null) return [];
  if (version === null) {
    return [warn('harness', `${name}: ${program} does not say its version`, `${program} --version`)];
  }
  const lines: Line[] = [];
  const now = seen.find((one) => one.version === version);
  if (tools === 'native' && now?.relists === false) {
    const text = `${described(look)}, but it was seen not to list them again; its next session uses leo_app_tools`;
    lines.push(warn('harness', text, `leo harness probe ${name} --write ~/.leo/harnesscaps.json`));
  } else if (measured !== null && compareVersions(version, measured) > 0 && now === undefined) {
    const text = `${described(look)}; newer than ${measured}, which was measured`;
    lines.push(warn('harness', text, `leo harness probe ${name} --quick`));
  }
  return lines;
}
