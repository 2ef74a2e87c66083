// `leo validate`: a leo.yaml held against all that a daemon asks of it, without one.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { placesOf } from '../../config/paths.js';
import { CliError } from '../failure.js';
import { say, sayJson } from '../output.js';

export function addValidateCommand(program: Command): void {
  program
    .command('validate')
    .description('check a leo.yaml, without a daemon')
    .argument('[file]', 'the file (default: leo.yaml of LEO_HOME)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code 1 when it has errors. A name in deny_tools that no app has registered is an error in the leo.yaml of\nLEO_HOME, as it is for the daemon, and a warning in another file.',
    )
    .action(async (file: string | undefined, { json }: { json?: boolean }) => {
      const places = placesOf(process.env);
      const path = file === undefined ? places.config : resolve(file);
      const text = textOf(path, file === undefined);
      const [{ checkConfigFile }, { RememberedTools }] = await Promise.all([
        import('../../doctor/config-file.js'),
        import('../../broker/state/remembered-tools.js'),
      ]);
      const remembered = new RememberedTools(places.rememberedTools, () => undefined);
      const matches = (pattern: string) => remembered.matches(pattern);
      const { errors, warnings } = checkConfigFile(text ?? '', { matches, own: path === places.config });
      if (json) sayJson({ file: path, ok: errors.length === 0, errors, warnings });
      else {
        for (const [what, faults] of [['error', errors] as const, ['warning', warnings] as const])
          for (const { line, message } of faults) say(`${path} line ${line}: ${what}: ${message}`);
        if (errors.length === 0)
          say(text === undefined ? `there is no ${path}; all is as by default` : `${path} can be used`);
      }
      if (errors.length > 0) process.exitCode = 1;
    });
}

/** Undefined for a file that is not there, which is all defaults, unless it was asked for by its name. */
function textOf(path: string, mayBeMissing: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (mayBeMissing && error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return undefined;
    throw new CliError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, 1, {
      cause: error,
    });
  }
}
