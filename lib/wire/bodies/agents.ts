// The bodies of agents (design 9): listed, spawned, stopped.
//
// The JSON Schema of a body is its validation and its documentation; beside it stands the type that the code sees. The
// wire is snake_case and the code camelCase; the change happens here.

import type { JsonSchema } from '../json.js';
import { supervisedNamePattern } from '../names.js';

/** How an agent is shown app tools (design 2). */
export type ToolMode = 'native' | 'fallback';

/** What a harness says of itself in MCP's `clientInfo`. */
export interface Harness {
  readonly name: string;
  readonly version: string;
}

/** One running agent. */
export interface AgentSummary {
  readonly name: string;
  /** Attached: a harness that the user started. Supervised: one that Leo started. */
  readonly kind: 'attached' | 'supervised';
  readonly harness: Harness | null;
  /** Null while it has no session. */
  readonly mode: ToolMode | null;
  readonly sessions: number;
  /** Which versions of Leo its gateways are of. */
  readonly leoVersions: readonly string[];
  /** Epoch milliseconds of its start, or of its first session. */
  readonly startedAt: number;
}

/** What Leo knows of an agent that it has started. */
export interface WireSupervised {
  readonly template: string;
  /** The template's harness. */
  readonly harness: string;
  readonly state: 'starting' | 'running' | 'restarting' | 'exited' | 'lost';
  /** Why it is not running. */
  readonly detail: string | null;
  readonly cwd: string;
  readonly restarts: number;
  readonly restart_at: string | null;
  /** Where its screen is, while it has one. */
  readonly tmux: {
    readonly server: string;
    readonly pane: string;
    readonly pid: number;
    readonly server_start: number;
  } | null;
}

const supervisedSchema: JsonSchema = {
  type: ['object', 'null'],
  description: 'what Leo knows of an agent that it has started',
  properties: {
    template: { type: 'string' },
    harness: { type: 'string' },
    state: {
      enum: ['starting', 'running', 'restarting', 'exited', 'lost'],
      description: '`exited`: its harness has ended; `lost`: its pane is gone',
    },
    detail: { type: ['string', 'null'], description: 'why it is not running' },
    cwd: { type: 'string' },
    restarts: { type: 'integer', minimum: 0 },
    restart_at: { type: ['string', 'null'], format: 'date-time' },
    tmux: {
      type: ['object', 'null'],
      description: 'where its screen is',
      properties: {
        server: { type: 'string', description: 'as `tmux -L` takes it' },
        pane: { type: 'string' },
        pid: { type: 'integer' },
        server_start: { type: 'integer', description: 'epoch seconds' },
      },
      required: ['server', 'pane', 'pid', 'server_start'],
      additionalProperties: false,
    },
  },
  required: ['template', 'harness', 'state', 'detail', 'cwd', 'restarts', 'restart_at', 'tmux'],
  additionalProperties: false,
};

const harnessSchema: JsonSchema = {
  type: ['object', 'null'],
  properties: { name: { type: 'string' }, version: { type: 'string' } },
  required: ['name', 'version'],
  additionalProperties: false,
};

export const agentSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    kind: { enum: ['attached', 'supervised'] },
    harness: harnessSchema,
    mode: { enum: ['native', 'fallback', null], description: 'null while it has no session' },
    sessions: { type: 'integer', minimum: 0 },
    leo_versions: {
      type: 'array',
      items: { type: 'string' },
      description: 'which versions of Leo its gateways are of, each once',
    },
    started_at: { type: 'string', format: 'date-time' },
    supervised: supervisedSchema,
  },
  required: ['name', 'kind', 'harness', 'mode', 'sessions', 'leo_versions', 'started_at', 'supervised'],
  additionalProperties: false,
};

export interface WireAgent {
  readonly name: string;
  readonly kind: 'attached' | 'supervised';
  readonly harness: Harness | null;
  readonly mode: ToolMode | null;
  readonly sessions: number;
  /** Absent in the answers of older daemons. */
  readonly leo_versions?: readonly string[];
  readonly started_at: string;
  readonly supervised: WireSupervised | null;
}

export function encodeAgent(agent: AgentSummary, supervised: WireSupervised | null): WireAgent {
  return {
    name: agent.name,
    kind: agent.kind,
    harness: agent.harness,
    mode: agent.mode,
    sessions: agent.sessions,
    leo_versions: agent.leoVersions,
    started_at: new Date(agent.startedAt).toISOString(),
    supervised,
  };
}

export interface WireSpawnBody {
  readonly template: string;
  readonly name?: string;
  readonly cwd?: string;
  readonly prompt?: string;
}

export const spawnBody: JsonSchema = {
  type: 'object',
  properties: {
    template: { type: 'string', minLength: 1, description: 'a name below `templates` in leo.yaml' },
    name: {
      type: 'string',
      pattern: supervisedNamePattern,
      description: 'the name of the agent; else that of the template, with -2, -3 where it is taken',
    },
    cwd: { type: 'string', pattern: '^/[^\\u0000]*$', description: 'where it works; else the workspace' },
    prompt: {
      type: 'string',
      minLength: 1,
      maxLength: 65_536,
      pattern: '^[^\\u0000]*$',
      description: 'its first words, given once: not again when it is started again',
    },
  },
  required: ['template'],
  additionalProperties: false,
};

export const spawnData: JsonSchema = {
  type: 'object',
  properties: { agent: agentSchema },
  required: ['agent'],
  additionalProperties: false,
};

export interface WireStopBody {
  readonly name: string;
}

export const stopBody: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, maxLength: 64, description: 'or its unique ending' } },
  required: ['name'],
  additionalProperties: false,
};

export const stopData: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string', description: 'which agent was stopped' } },
  required: ['name'],
  additionalProperties: false,
};

export const agentsData: JsonSchema = {
  type: 'object',
  properties: { agents: { type: 'array', items: agentSchema } },
  required: ['agents'],
  additionalProperties: false,
};
