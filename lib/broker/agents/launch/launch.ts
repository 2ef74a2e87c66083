// What is started for an agent: which program, with which arguments, variables and files. Pure.
//
// Each harness is given Leo's entry for this one start, in a way that touches none of the user's files, found in
// their bundles and tried with the versions of test/harness:
//
//   claude-code   --mcp-config=JSON, beside the servers of the user; wins over an entry of the same name
//   codex         -c mcp_servers.leo={…}, in place of an entry of the same name
//   opencode      OPENCODE_CONFIG_CONTENT, laid over all of its files
//   gemini-cli    GEMINI_CLI_SYSTEM_SETTINGS_PATH, a file that wins over the user's; the machine's own is copied in
//   qwen-code     QWEN_CODE_SYSTEM_SETTINGS_PATH, likewise
//   copilot-cli   --additional-mcp-config=JSON, beside the servers of the user; wins over an entry of the same name
//   custom        nothing: LEO_AGENT and LEO_HOME are there for its `leo mcp-server`
//
// Whether a folder is trusted stays the user's to say: a harness that asks is answered with `leo agent attach`.

import { join } from 'node:path';
import type { SupervisedHarness, Template } from '../../../config/templates.js';
import { harnesses } from '../../../setup/harnesses.js';
import { type Installation, leoEntry, serverName } from '../../../setup/leo-entry.js';
import { LeoError } from '../../../wire/errors.js';
import { isObject } from '../../../wire/json.js';

export interface LaunchRequest {
  readonly agent: string;
  readonly template: Pick<Template, 'harness' | 'command' | 'args'>;
  readonly installation: Installation;
  /** The LEO_HOME, default or not. */
  readonly home: string;
  /** The first words to the harness. */
  readonly prompt: string | undefined;
  /** A folder of the agent's own, in which the files are made. */
  readonly folder: string;
  /** The environment that it will have, but for what is added here. */
  readonly env: NodeJS.ProcessEnv;
  /** The machine's settings for the harness, where it has any: see `systemSettings`. */
  readonly machineSettings: unknown;
}

export interface Launch {
  /** A name on PATH, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Texts by the paths of their files. */
  readonly files: Readonly<Record<string, string>>;
}

/** Where Gemini CLI and its fork look for settings that win over the user's, and for those that lose to them. */
interface SystemSettings {
  readonly variable: string;
  readonly defaultsVariable: string;
  readonly linux: string;
  readonly mac: string;
}

const systemFiles: Readonly<Partial<Record<SupervisedHarness, SystemSettings>>> = {
  'gemini-cli': {
    variable: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    defaultsVariable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    linux: '/etc/gemini-cli/settings.json',
    mac: '/Library/Application Support/GeminiCli/settings.json',
  },
  'qwen-code': {
    variable: 'QWEN_CODE_SYSTEM_SETTINGS_PATH',
    defaultsVariable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
    linux: '/etc/qwen-code/settings.json',
    mac: '/Library/Application Support/QwenCode/settings.json',
  },
};

/** The file of the machine whose place a file of Leo's takes; undefined for a harness that has none. */
export function machineSettingsPath(
  harness: SupervisedHarness,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | undefined {
  const system = systemFiles[harness];
  if (system === undefined) return undefined;
  return env[system.variable] || (platform === 'darwin' ? system.mac : system.linux);
}

/**
 * What to start.
 *
 * @param platform decides where the machine's own settings are.
 * @throws {LeoError} `invalid_request` where what is there already cannot be added to.
 */
export function launchOf(request: LaunchRequest, platform: NodeJS.Platform = process.platform): Launch {
  const { agent, template, home } = request;
  const launch =
    template.harness === 'custom' ? custom(request) : harness(template.harness, request, platform);
  // codex passes these on to none of its servers: the entry holds what the gateway needs.
  return { ...launch, env: { LEO_AGENT: agent, LEO_HOME: home, ...launch.env } };
}

function custom({ template, prompt }: LaunchRequest): Launch {
  const { command = '', args } = template;
  const env: Record<string, string> = prompt === undefined ? {} : { LEO_PROMPT: prompt };
  if (typeof command === 'string')
    return { program: '/bin/sh', args: ['-c', command, 'sh', ...args], env, files: {} };
  const [program = '', ...first] = command;
  return { program, args: [...first, ...args], env, files: {} };
}

function harness(
  name: Exclude<SupervisedHarness, 'custom'>,
  request: LaunchRequest,
  platform: NodeJS.Platform,
): Launch {
  const { agent, template, installation, prompt, folder, env, machineSettings } = request;
  const { program, servers, write } = harnesses[name];
  const entry = JSON.parse(JSON.stringify(write(leoEntry(name, installation, agent, undefined))));
  const json = JSON.stringify({ [servers]: { [serverName]: entry } });
  const { args } = template;
  const launch = { program, args, env: {}, files: {} };
  switch (name) {
    case 'claude-code':
      return { ...launch, args: [`--mcp-config=${json}`, ...args, ...last('--', prompt)] };
    case 'codex':
      return {
        ...launch,
        args: ['-c', `${servers}.${serverName}=${toml(entry)}`, ...args, ...last('--', prompt)],
      };
    case 'copilot-cli':
      return {
        ...launch,
        args: [`--additional-mcp-config=${json}`, ...args, ...option('--interactive', prompt)],
      };
    case 'opencode': {
      const variable = 'OPENCODE_CONFIG_CONTENT';
      const before = parsed(env[variable] || '{}', variable);
      const after = withEntry(before, servers, { ...entry, enabled: true });
      return {
        ...launch,
        args: [...args, ...option('--prompt', prompt)],
        env: { [variable]: JSON.stringify(after) },
      };
    }
    default: {
      const system = systemFiles[name];
      const machine = machineSettingsPath(name, env, platform);
      if (system === undefined || machine === undefined)
        throw new Error(`${name} is started in no known way`);
      const path = join(folder, 'settings.json');
      const settings = withEntry(isObject(machineSettings) ? machineSettings : {}, servers, entry);
      return {
        ...launch,
        args: [...args, ...option('--prompt-interactive', prompt)],
        env: {
          [system.variable]: path,
          // Looked for beside the other file, which is now ours.
          [system.defaultsVariable]:
            env[system.defaultsVariable] || join(machine, '..', 'system-defaults.json'),
        },
        files: { [path]: `${JSON.stringify(settings, null, 2)}\n` },
      };
    }
  }
}

type Values = Readonly<Record<string, unknown>>;

function withEntry(settings: Values, servers: string, entry: Values): Values {
  const before = settings[servers];
  return { ...settings, [servers]: { ...(isObject(before) ? before : {}), [serverName]: entry } };
}

function parsed(text: string, variable: string): Values {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new LeoError(
    'invalid_request',
    `${variable} holds no JSON object, so that Leo cannot be added to it: mend it in the template's env, or in the daemon's environment`,
  );
}

/** A prompt as the last word, behind a mark that nothing after it is an option. */
const last = (mark: string, prompt: string | undefined) => (prompt === undefined ? [] : [mark, prompt]);
const option = (name: string, prompt: string | undefined) =>
  prompt === undefined ? [] : [`${name}=${prompt}`];

/** A value as TOML on one line. A JSON string is one of TOML's, but for DEL. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${toml(key)} = ${toml(one)}`)
      .join(', ')} }`;
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
