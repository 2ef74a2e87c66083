// `leo doctor`: looks at everything that goes wrong in practice, and says what mends it.

import type { Command } from 'commander';
import { placesOf } from '../../config/paths.js';
import type { Line, Status } from '../../doctor/line.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../table.js';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what goes wrong in practice, and say what mends it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt changes nothing and starts no daemon. Exit code 1 when something has failed; warnings are none.',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const [{ gather }, { diagnose }, { default: caps }, { installation, surroundings }] = await Promise.all(
        [
          import('../../doctor/gather/gather.js'),
          import('../../doctor/diagnose.js'),
          import('../../../harnesscaps.json', { with: { type: 'json' } }),
          import('../harness/place.js'),
        ],
      );
      const facts = await gather({
        places: placesOf(process.env),
        harnesses: caps.harnesses,
        look: { surroundings: surroundings(), installation: installation() },
      });
      const lines = diagnose(facts);
      const failed = lines.filter(({ status }) => status === 'fail').length;
      if (json) sayJson({ ok: failed === 0, lines });
      else say(...lines.flatMap(shown), '', summary(lines));
      if (failed > 0) process.exitCode = 1;
    });
}

function shown({ check, status, text, mend }: Line): readonly string[] {
  const line = `${status}  ${check.padEnd(8)}  ${oneLine(text)}`;
  return mend === null ? [line] : [line, `      ${''.padEnd(8)}  → ${oneLine(mend)}`];
}

function summary(lines: readonly Line[]): string {
  const count = (status: Status) => lines.filter((line) => line.status === status).length;
  const warnings = count('warn');
  return `${count('pass')} passed, ${warnings} warning${warnings === 1 ? '' : 's'}, ${count('fail')} failed`;
}
