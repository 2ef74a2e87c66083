// A leo.yaml held against all that a daemon asks of it. Pure.

import { unknownDenied } from '../broker/check/denied-names.js';
import { bindFault, type Config, ConfigError, parseConfigFile } from '../config/config.js';
import { scopedNameFault } from '../config/scoped-name.js';
import type { FileFault } from '../config/yaml-file.js';

export interface CheckedConfig {
  /** Undefined where there are errors. */
  readonly config: Config | undefined;
  /** What no daemon starts with. */
  readonly errors: readonly FileFault[];
  readonly warnings: readonly FileFault[];
}

/**
 * Checks the text of a leo.yaml.
 *
 * @param matches whether a name or glob in `deny_tools` is of a tool of Leo's, or of one that was ever registered.
 * @param own whether it is the file of the home that knows those tools; in another file, an unknown name is a warning.
 */
export function checkConfigFile(
  text: string,
  { matches, own }: { readonly matches: (pattern: string) => boolean; readonly own: boolean },
): CheckedConfig {
  try {
    const { value: config, lineOf } = parseConfigFile(text, 'leo.yaml');
    const errors: FileFault[] = [];
    const warnings: FileFault[] = [];
    const fault = bindFault(config.web);
    if (fault !== undefined) errors.push({ line: lineOf('web', 'bind'), message: fault });
    for (const { path, what, message } of unknownDenied(config, matches)) {
      (own && what === 'wrong' ? errors : warnings).push({ line: lineOf(...path), message });
    }
    for (const name of Object.keys(config.apiClients)) {
      const wrong = scopedNameFault('client', name);
      if (wrong !== undefined)
        warnings.push({
          line: lineOf('api_clients', name),
          message: `api_clients.${name} counts for nothing: ${wrong}`,
        });
    }
    const usable = errors.length === 0;
    return { config: usable ? config : undefined, errors: byLine(errors), warnings: byLine(warnings) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const whole = { line: 1, message: error.message };
    return {
      config: undefined,
      errors: error.faults.length > 0 ? byLine(error.faults) : [whole],
      warnings: [],
    };
  }
}

function byLine(faults: readonly FileFault[]): readonly FileFault[] {
  return [...faults].sort((a, b) => a.line - b.line);
}
