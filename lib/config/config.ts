// leo.yaml (design 11): its schema, its defaults, and errors that name the line. Pure: text in, settings out.

import { Ajv, type ErrorObject } from 'ajv';
import { isNode, LineCounter, parseDocument } from 'yaml';

/** What leo.yaml says, defaults filled in. */
export interface Config {
  readonly web: { readonly port: number; readonly bind: string; readonly allowedHosts: readonly string[] };
  readonly daemon: { readonly autostart: boolean };
  readonly clientTools: { readonly reconnectGraceS: number };
  /** Denied to every agent: names or globs. */
  readonly denyTools: readonly string[];
  /** Denied to one agent, by its name. */
  readonly agents: Readonly<Record<string, { readonly denyTools: readonly string[] }>>;
  /** What harnesscaps.json would say, by the name in `clientInfo`. */
  readonly harnesses: Readonly<Record<string, { readonly tools: 'native' | 'fallback' }>>;
}

/** A leo.yaml that cannot be used; the message names file, line and mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
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
    daemon: { type: 'object', properties: { autostart: { type: 'boolean' } }, additionalProperties: false },
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
    harnesses: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { tools: { enum: ['native', 'fallback'] } },
        required: ['tools'],
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
  readonly daemon?: { readonly autostart?: boolean };
  readonly client_tools?: { readonly reconnect_grace_s?: number };
  readonly deny_tools?: readonly string[];
  readonly agents?: Readonly<Record<string, { readonly deny_tools?: readonly string[] }>>;
  readonly harnesses?: Readonly<Record<string, { readonly tools: 'native' | 'fallback' }>>;
}

/**
 * Reads the text of a leo.yaml.
 *
 * @param text the file's content; an empty text is all defaults.
 * @param file how errors name the file.
 * @throws {ConfigError} with a line for each thing that is wrong.
 */
export function parseConfig(text: string, file = 'leo.yaml'): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    throw new ConfigError(`${file} line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`, {
      cause: broken,
    });
  }
  const value: unknown = document.toJS() ?? {};
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<WireConfig>(schema);
  if (!validate(value)) {
    const lineOf = (path: readonly string[], wantKey: boolean): number => {
      // The deepest node that is there; for an unknown key, the key itself.
      for (let depth = path.length; depth >= 0; depth--) {
        const parent = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
        if (wantKey && depth === path.length - 1) {
          const key = keyNode(parent, path[depth]);
          if (key !== undefined) return lines.linePos(key).line;
        }
        if ((!wantKey || depth < path.length) && isNode(parent) && parent.range)
          return lines.linePos(parent.range[0]).line;
      }
      return 1;
    };
    const problems = (validate.errors ?? []).map((error) => {
      const unknown = unknownKey(error);
      const path = error.instancePath.split('/').slice(1).map(unescapePointer);
      const place = unknown === undefined ? path : [...path, unknown];
      const what =
        unknown === undefined
          ? `${path.join('.') || 'the file'} ${explain(error)}`
          : `unknown key \`${place.join('.')}\``;
      return `${file} line ${lineOf(place, unknown !== undefined)}: ${what}`;
    });
    throw new ConfigError([...new Set(problems)].join('\n'));
  }
  return withDefaults(value);
}

function withDefaults(wire: WireConfig): Config {
  return {
    web: {
      port: wire.web?.port ?? 8370,
      bind: wire.web?.bind ?? '127.0.0.1',
      allowedHosts: wire.web?.allowed_hosts ?? [],
    },
    daemon: { autostart: wire.daemon?.autostart ?? true },
    clientTools: { reconnectGraceS: wire.client_tools?.reconnect_grace_s ?? 30 },
    denyTools: wire.deny_tools ?? [],
    agents: Object.fromEntries(
      Object.entries(wire.agents ?? {}).map(([name, agent]) => [name, { denyTools: agent.deny_tools ?? [] }]),
    ),
    harnesses: wire.harnesses ?? {},
  };
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function unknownKey(error: ErrorObject): string | undefined {
  const name: unknown =
    error.keyword === 'additionalProperties' ? error.params.additionalProperty : undefined;
  return typeof name === 'string' ? name : undefined;
}

function explain(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.params.allowedValues)}`;
  return error.message ?? 'is not valid';
}

function keyNode(map: unknown, key: string | undefined): number | undefined {
  if (typeof map !== 'object' || map === null || !('items' in map) || !Array.isArray(map.items))
    return undefined;
  for (const pair of map.items) {
    const node: unknown = pair?.key;
    if (isNode(node) && 'value' in node && String(node.value) === key && node.range) return node.range[0];
  }
  return undefined;
}
