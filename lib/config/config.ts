// leo.yaml (design 11): its schema, its defaults, and errors that name the line. Pure: text in, settings out.

import { type LogFormat, type LogLevel, logFormats, logLevels } from './log-options.js';
import { scopedNamePattern } from './scoped-name.js';
import { type Template, templatesOf, templatesSchema, type WireTemplates } from './templates.js';
import { parseYamlFile, type YamlFile } from './yaml-file.js';

export { ConfigError } from './yaml-file.js';

/** What leo.yaml says, defaults filled in. */
export interface Config {
  readonly web: { readonly port: number; readonly bind: string; readonly allowedHosts: readonly string[] };
  readonly daemon: {
    readonly autostart: boolean;
    /** The least that the daemon's log has, and how it is written. */
    readonly logLevel: LogLevel;
    readonly logFormat: LogFormat;
  };
  readonly clientTools: { readonly reconnectGraceS: number };
  /** Denied to every agent: names or globs. */
  readonly denyTools: readonly string[];
  /** Denied to one agent, by its name. */
  readonly agents: Readonly<Record<string, { readonly denyTools: readonly string[] }>>;
  /** The scoped clients, by their names (design 10). */
  readonly apiClients: Readonly<Record<string, ApiClient>>;
  /** What `leo agent spawn` starts, by name. */
  readonly templates: Readonly<Record<string, Template>>;
  /** What harnesscaps.json would say, by the name in `clientInfo` or the one there. */
  readonly harnesses: Readonly<Record<string, HarnessSettings>>;
}

/** A program that may message the agents named for it, and nothing else. */
export interface ApiClient {
  /** Names of agents, or globs; none is nobody. */
  readonly canMessage: readonly string[];
}

/** What the user says of one harness; what is absent is as measured. */
export interface HarnessSettings {
  readonly tools?: 'native' | 'fallback';
  /** After how many seconds it gives a call up; null for never. */
  readonly callLimitS?: number | null;
  /** Whether progress restarts that clock. */
  readonly progressExtends?: boolean;
}

const patterns = { type: 'array', items: { type: 'string', minLength: 1 } };
const schema = {
  type: ['object', 'null'],
  properties: {
    web: {
      type: 'object',
      properties: {
        port: { type: 'integer', minimum: 0, maximum: 65_535 },
        bind: { type: 'string', minLength: 1 },
        allowed_hosts: { type: 'array', items: { type: 'string', minLength: 1 } },
      },
      additionalProperties: false,
    },
    daemon: {
      type: 'object',
      properties: {
        autostart: { type: 'boolean' },
        log_level: { enum: [...logLevels] },
        log_format: { enum: [...logFormats] },
      },
      additionalProperties: false,
    },
    client_tools: {
      type: 'object',
      properties: { reconnect_grace_s: { type: 'number', minimum: 0, maximum: 86_400 } },
      additionalProperties: false,
    },
    deny_tools: patterns,
    agents: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { deny_tools: patterns },
        additionalProperties: false,
      },
    },
    api_clients: {
      type: ['object', 'null'],
      propertyNames: { pattern: scopedNamePattern },
      additionalProperties: {
        type: 'object',
        properties: { can_message: patterns },
        additionalProperties: false,
      },
    },
    templates: templatesSchema,
    harnesses: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          tools: { enum: ['native', 'fallback'] },
          // A timer of Node's takes at most 2^31 ms.
          call_limit_s: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 2_000_000 },
          progress_extends: { type: 'boolean' },
        },
        minProperties: 1,
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

interface WireConfig {
  readonly web?: {
    readonly port?: number;
    readonly bind?: string;
    readonly allowed_hosts?: readonly string[];
  };
  readonly daemon?: {
    readonly autostart?: boolean;
    readonly log_level?: LogLevel;
    readonly log_format?: LogFormat;
  };
  readonly client_tools?: { readonly reconnect_grace_s?: number };
  readonly deny_tools?: readonly string[];
  readonly agents?: Readonly<Record<string, { readonly deny_tools?: readonly string[] }>>;
  readonly api_clients?: Readonly<Record<string, { readonly can_message?: readonly string[] }>> | null;
  readonly templates?: WireTemplates;
  readonly harnesses?: Readonly<Record<string, WireHarness>>;
}
interface WireHarness {
  readonly tools?: 'native' | 'fallback';
  readonly call_limit_s?: number | null;
  readonly progress_extends?: boolean;
}

/**
 * Reads the text of a leo.yaml.
 *
 * @param text the file's content; an empty text is all defaults.
 * @param file how errors name the file.
 * @throws {ConfigError} with a line for each thing that is wrong.
 */
export function parseConfig(text: string, file = 'leo.yaml'): Config {
  // Most homes have none, and each start reads it: what checks a file is then not even made.
  if (text === '') return { ...withDefaults({}), templates: {} };
  return parseConfigFile(text, file).value;
}

/** As `parseConfig`, with the lines of what stands there. */
export function parseConfigFile(text: string, file: string): YamlFile<Config> {
  const { value, lineOf } = parseYamlFile<WireConfig>(text, file, schema);
  const templates = templatesOf(value.templates ?? {}, lineOf, file);
  return { value: { ...withDefaults(value), templates }, lineOf };
}

/** Whether `web.bind` keeps the daemon to this machine. */
export function isLoopbackBind(bind: string): boolean {
  return ['127.0.0.1', '::1', 'localhost'].includes(bind);
}

/** What is wrong with `web`, which the schema cannot say; undefined where nothing is. */
export function bindFault({ bind, allowedHosts }: Config['web']): string | undefined {
  if (isLoopbackBind(bind) || allowedHosts.length > 0) return undefined;
  return `web.bind ${bind} is beyond loopback: name the hosts that may be asked for in web.allowed_hosts`;
}

function withDefaults(wire: WireConfig): Omit<Config, 'templates'> {
  return {
    web: {
      port: wire.web?.port ?? 8370,
      bind: wire.web?.bind ?? '127.0.0.1',
      allowedHosts: wire.web?.allowed_hosts ?? [],
    },
    daemon: {
      autostart: wire.daemon?.autostart ?? true,
      logLevel: wire.daemon?.log_level ?? 'info',
      logFormat: wire.daemon?.log_format ?? 'pretty',
    },
    clientTools: { reconnectGraceS: wire.client_tools?.reconnect_grace_s ?? 30 },
    denyTools: wire.deny_tools ?? [],
    agents: Object.fromEntries(
      Object.entries(wire.agents ?? {}).map(([name, agent]) => [name, { denyTools: agent.deny_tools ?? [] }]),
    ),
    apiClients: Object.fromEntries(
      Object.entries(wire.api_clients ?? {}).map(([name, client]) => [
        name,
        { canMessage: client.can_message ?? [] },
      ]),
    ),
    harnesses: Object.fromEntries(
      Object.entries(wire.harnesses ?? {}).map(([name, harness]) => [name, harnessSettings(harness)]),
    ),
  };
}

function harnessSettings({ tools, call_limit_s, progress_extends }: WireHarness): HarnessSettings {
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(call_limit_s === undefined ? {} : { callLimitS: call_limit_s }),
    ...(progress_extends === undefined ? {} : { progressExtends: progress_extends }),
  };
}
