// What the daemon goes by: leo.yaml and the tokens, as they were read last.
//
// What must stay true: a leo.yaml that cannot be used changes no setting. The tokens are taken over all the same,
// so that whoever lost theirs is out at once; a token whose file cannot be believed counts as taken away.

import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '../config/config.js';
import { fileStamp } from '../config/file-stamp.js';
import type { Places } from '../config/paths.js';
import { LeoError } from '../wire/errors.js';
import type { Principal } from './access/principal.js';
import type { TokenTable } from './access/token-table.js';
import { unknownDenied } from './check/denied-names.js';
import { DaemonError } from './daemon-error.js';
import type { RememberedTools } from './state/remembered-tools.js';
import { readTokens } from './state/tokens.js';

/** What is done with settings that were read again. */
export interface Follow {
  readonly configure: (config: Config) => void;
  /** Ends what was opened with a token that does not count any more. */
  readonly endRevoked: (holds: (principal: Principal) => boolean) => void;
}

export interface SettingsOptions {
  /** As it was read at the start. */
  readonly config: Config;
  /** Of leo.yaml, before it was read. */
  readonly stamp: string;
  readonly places: Places;
  readonly remembered: RememberedTools;
  readonly log: (line: string) => void;
  /** Told when leo.yaml was read again and is gone by, with its stamp. */
  readonly taken: (stamp: string) => void;
}

export class Settings {
  readonly #options: SettingsOptions;
  #config: Config;
  #tokens: TokenTable | undefined;
  #stamp: string;

  constructor(options: SettingsOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#stamp = options.stamp;
  }

  /** Of the leo.yaml that is gone by now. */
  get stamp(): string {
    return this.#stamp;
  }

  /**
   * Reads the tokens at the start; those of the operator and of agents are made if there are none.
   *
   * @throws {PlaceError} for a file that cannot be believed, with the fix.
   */
  takeTokens(): void {
    const { tokens, warnings, faults } = readTokens(this.#options.places, this.#config.apiClients);
    const [fault] = faults;
    if (fault !== undefined) throw fault;
    for (const warning of warnings) this.#options.log(`warning: ${warning}`);
    this.#tokens = tokens;
  }

  /** Whose a bearer is. */
  ownerOf(bearer: string): Principal | undefined {
    return this.#tokens?.ownerOf(bearer);
  }

  /** Whether the token that a caller showed still counts. */
  holds(principal: Principal): boolean {
    return this.#tokens?.holds(principal) ?? false;
  }

  /**
   * Reads leo.yaml and the tokens again, and has everybody go by them.
   *
   * @returns warnings, for people.
   * @throws {LeoError} `invalid_config` when leo.yaml cannot be used; the settings then stay as they were.
   */
  reload(follow: Follow): readonly string[] {
    const { places, remembered, log } = this.#options;
    // Before it is read: what is changed meanwhile counts as changed since.
    const stamp = fileStamp(places.config);
    const warnings: string[] = [];
    let refused: DaemonError | undefined;
    try {
      const config = readConfig(places);
      warnings.push(...checkDenied(config, remembered));
      this.#config = config;
      follow.configure(config);
      this.#stamp = stamp;
      this.#options.taken(stamp);
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error;
      refused = error;
    }
    const read = readTokens(places, this.#config.apiClients);
    this.#tokens = read.tokens;
    follow.endRevoked((principal) => read.tokens.holds(principal));
    warnings.push(
      ...read.faults.map(({ message }) => `the token counts as taken away: ${message}`),
      ...read.warnings,
    );
    for (const warning of warnings) log(`warning: ${warning}`);
    if (refused === undefined) {
      log('reloaded leo.yaml and the tokens; a changed web.port or web.bind waits for a restart');
      return warnings;
    }
    log(`leo.yaml is not taken over, the old settings stay: ${refused.message}`);
    throw new LeoError('invalid_config', refused.message, { cause: refused });
  }
}

/** @throws {DaemonError} `config`, naming file and line. */
export function readConfig(places: Places): Config {
  if (!existsSync(places.config)) return parseConfig('');
  if (lstatSync(places.config).isDirectory())
    throw new DaemonError('config', `${places.config} is a folder, not a file`);
  try {
    return parseConfig(readFileSync(places.config, 'utf8'), places.config);
  } catch (error) {
    if (error instanceof ConfigError) throw new DaemonError('config', error.message, { cause: error });
    if (isSystemError(error))
      throw new DaemonError('config', `${places.config} cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Checks the names in `deny_tools` (design 11).
 *
 * @returns warnings: globs that match nothing.
 * @throws {DaemonError} `config` for a name that is neither Leo's nor was ever registered.
 */
export function checkDenied(config: Config, remembered: RememberedTools): readonly string[] {
  const unknown = unknownDenied(config, (pattern) => remembered.matches(pattern));
  const wrong = unknown.find(({ what }) => what === 'wrong');
  if (wrong !== undefined) throw new DaemonError('config', wrong.message);
  return unknown.map(({ message }) => message);
}
