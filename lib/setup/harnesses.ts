// The eight harnesses: which file holds their MCP servers, in which dialect, and what an entry looks like there.
// Read out of their bundles and tried with the versions of test/harness. Pure.
//
// Only Claude Code's own command is used, and only for its user scope: `claude mcp add-json` takes the call limit,
// and writes under the lock of a file that running sessions write too. The others' commands cannot do the job:
//   codex, opencode, cline   take no call limit
//   kilo                     takes none, and drops comments on the way
//   gemini-cli, qwen-code    write the whole file anew, without its tabs and CRLF; qwen-code also without comments
//   copilot-cli              writes the whole file anew, without comments; knows no project scope
//   claude-code, project     writes the whole file anew

import { join } from 'node:path';
import {
  isValues,
  milliseconds,
  numberOf,
  opencodeLimit,
  plain,
  readOpencode,
  readPlain,
  remote,
  type Values,
  writeOpencode,
} from './entry-shape.js';
import type { JsonDialect } from './text/json-text.js';
import type { HarnessName, Scope, ServerEntry, Surroundings } from './types.js';

/** The files of one scope. */
export interface Place {
  /** Where an entry may stand, the one that wins first. */
  readonly paths: readonly string[];
  /** Files that win over `paths`: used only where they hold an entry already. */
  readonly overrides: readonly string[];
  /** The file that is made where there is none of `paths`. */
  readonly made: string;
  readonly format: 'toml' | JsonDialect;
}

export interface HarnessSetup {
  /** The program on PATH. */
  readonly program: string;
  /** How people call it. */
  readonly title: string;
  /** What it calls itself in `clientInfo`, with the server named `leo`. */
  readonly clientName: string;
  /** Its own limit for a call, in seconds. */
  readonly limitS: number;
  /** The object that holds the servers by name. */
  readonly servers: string;
  /** The files of a scope; undefined where it has no such scope. */
  place(scope: Scope, surroundings: Surroundings): Place | undefined;
  /** The keys of an entry that Leo writes; undefined takes a key out. */
  write(entry: ServerEntry): Values;
  /** What an entry in the file says. */
  read(values: Values): Omit<ServerEntry, 'name'>;
  /** A limit that the user has set for all servers, in seconds. */
  readonly limitElsewhere?: (file: Values) => number | undefined;
  /** What a person must still do for an entry of the project scope to be used. */
  readonly projectNote?: string;
  /** The commands by which the harness itself puts an entry in or takes it out. */
  readonly own?: Readonly<Partial<Record<Scope, OwnCommands>>>;
}

export interface OwnCommands {
  add(name: string, values: Values): readonly string[];
  remove(name: string): readonly string[];
}

const strict: JsonDialect = { comments: false, trailingCommas: false, byteOrderMark: false };
const strictWithMark: JsonDialect = { ...strict, byteOrderMark: true };
const commented: JsonDialect = { comments: true, trailingCommas: false, byteOrderMark: false };
const tolerant: JsonDialect = { comments: true, trailingCommas: true, byteOrderMark: true };

export const harnesses: Readonly<Record<HarnessName, HarnessSetup>> = {
  'claude-code': {
    program: 'claude',
    title: 'Claude Code',
    clientName: 'claude-code',
    // From its bundle: 100,000,000 ms.
    limitS: 100_000,
    servers: 'mcpServers',
    place: (scope, { home, project, env }) =>
      scope === 'user'
        ? place(strictWithMark, join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'), [
            // An older name, which still wins where it is.
            join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), '.config.json'),
          ])
        : place(strictWithMark, join(project, '.mcp.json')),
    write: (entry) => ({ ...remote, type: 'stdio', ...plain(entry), timeout: milliseconds(entry) }),
    read: readPlain(1000),
    projectNote: 'Claude Code asks each user once whether to use the servers of .mcp.json.',
    own: {
      user: {
        add: (name, values) => ['claude', 'mcp', 'add-json', '--scope', 'user', name, JSON.stringify(values)],
        remove: (name) => ['claude', 'mcp', 'remove', '--scope', 'user', name],
      },
    },
  },
  codex: {
    program: 'codex',
    title: 'codex',
    clientName: 'codex-mcp-client',
    limitS: 300,
    servers: 'mcp_servers',
    place: (scope, { home, project, env }) =>
      place(
        'toml',
        join(
          scope === 'user' ? env.CODEX_HOME || join(home, '.codex') : join(project, '.codex'),
          'config.toml',
        ),
      ),
    write: (entry) => ({
      url: undefined,
      bearer_token_env_var: undefined,
      http_headers: undefined,
      env_http_headers: undefined,
      ...plain(entry),
      tool_timeout_sec: entry.callLimitS,
    }),
    read: (values) => ({ ...readPlain(1)(values), callLimitS: numberOf(values.tool_timeout_sec) }),
    projectNote: 'codex reads it only in a project that you trust; it asks when it is started there.',
  },
  opencode: {
    program: 'opencode',
    title: 'opencode',
    clientName: 'opencode',
    limitS: 60,
    servers: 'mcp',
    place: (scope, { home, project, env }) =>
      scope === 'user'
        ? opencodePlace(
            join(configHome(home, env), 'opencode'),
            ['opencode.jsonc', 'opencode.json', 'config.json'],
            'opencode.jsonc',
            [
              ...(env.OPENCODE_CONFIG_DIR ? both(join(env.OPENCODE_CONFIG_DIR, 'opencode')) : []),
              ...(env.OPENCODE_CONFIG ? [env.OPENCODE_CONFIG] : []),
            ],
          )
        : opencodePlace(project, [...both('.opencode/opencode'), ...both('opencode')], 'opencode.json'),
    write: writeOpencode,
    read: readOpencode,
    limitElsewhere: opencodeLimit,
  },
  'gemini-cli': {
    program: 'gemini',
    title: 'Gemini CLI',
    clientName: 'gemini-cli-mcp-client',
    limitS: 600,
    servers: 'mcpServers',
    place: (scope, { home, project, env }) =>
      place(
        commented,
        join(scope === 'user' ? env.GEMINI_CLI_HOME || home : project, '.gemini', 'settings.json'),
      ),
    write: (entry) => ({ ...remote, ...plain(entry), timeout: milliseconds(entry) }),
    read: readPlain(1000),
    projectNote: 'Gemini CLI uses it only in a folder that you trust; it asks when it is started there.',
  },
  'copilot-cli': {
    program: 'copilot',
    title: 'Copilot CLI',
    clientName: 'copilot-cli',
    limitS: 180,
    servers: 'mcpServers',
    place: (scope, { home, project, env }) =>
      scope === 'user'
        ? place(tolerant, join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'))
        : // Not .mcp.json, which it reads too: Claude Code's entry stands there.
          place(strict, join(project, '.github', 'mcp.json')),
    write: (entry) => ({
      ...remote,
      type: 'local',
      ...plain(entry),
      tools: ['*'],
      timeout: milliseconds(entry),
    }),
    read: readPlain(1000),
    projectNote: 'Copilot CLI uses it only in a folder that you trust; it asks when it is started there.',
  },
  'qwen-code': {
    program: 'qwen',
    title: 'Qwen Code',
    clientName: 'qwen-cli-mcp-client-leo',
    limitS: 600,
    servers: 'mcpServers',
    place: (scope, { home, project }) =>
      place(commented, join(scope === 'user' ? home : project, '.qwen', 'settings.json')),
    write: (entry) => ({ ...remote, ...plain(entry), timeout: milliseconds(entry) }),
    read: readPlain(1000),
  },
  kilo: {
    program: 'kilo',
    title: 'Kilo Code',
    clientName: 'kilo',
    limitS: 60,
    servers: 'mcp',
    place: (scope, { home, project, env }) =>
      scope === 'user'
        ? opencodePlace(
            join(configHome(home, env), 'kilo'),
            ['kilo.jsonc', 'kilo.json', 'config.json'],
            'kilo.jsonc',
            [
              ...(env.KILO_CONFIG_DIR ? both(join(env.KILO_CONFIG_DIR, 'kilo')) : []),
              ...(env.KILO_CONFIG ? [env.KILO_CONFIG] : []),
              ...both(join(configHome(home, env), 'kilo', 'opencode')),
            ],
          )
        : opencodePlace(
            project,
            [...both('.kilo/kilo'), ...both('.kilocode/kilo'), ...both('kilo')],
            'kilo.json',
          ),
    write: writeOpencode,
    read: readOpencode,
    limitElsewhere: opencodeLimit,
  },
  cline: {
    program: 'cline',
    title: 'cline',
    clientName: '@cline/core',
    limitS: 60,
    servers: 'mcpServers',
    place: (scope, { home, env }) => {
      if (scope === 'project') return undefined;
      const data = env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data');
      return place(strict, env.CLINE_MCP_SETTINGS_PATH || join(data, 'settings', 'cline_mcp_settings.json'));
    },
    // Its `timeout` is in seconds.
    write: (entry) => ({
      ...remote,
      transport: undefined,
      transportType: undefined,
      ...plain(entry),
      timeout: entry.callLimitS,
    }),
    read: (values) => readPlain(1)({ ...values, ...(isValues(values.transport) ? values.transport : {}) }),
  },
};

function place(format: Place['format'], made: string, older: readonly string[] = []): Place {
  return { paths: [...older, made], overrides: [], made, format };
}

/** The files of opencode and its fork. */
function opencodePlace(
  folder: string,
  names: readonly string[],
  made: string,
  overrides: readonly string[] = [],
): Place {
  const paths = names.map((name) => join(folder, name));
  return { paths, overrides, made: join(folder, made), format: tolerant };
}

const both = (path: string): readonly string[] => [`${path}.jsonc`, `${path}.json`];

const configHome = (home: string, env: NodeJS.ProcessEnv) => env.XDG_CONFIG_HOME || join(home, '.config');
