// The bodies of the HTTP API: the JSON Schema of each, which is its validation and its documentation, and the
// type that the code sees. The wire is snake_case and the code camelCase; the change happens here.

import { type ContentBlock, maxFailureMessageLength, type Outcome } from './content.js';
import { failureCodePattern } from './errors.js';
import { type ClientId, clientIdPattern, type RequestId } from './ids.js';
import type { JsonObject, JsonSchema } from './json.js';
import { groupNamePattern, supervisedNamePattern } from './names.js';
import { toolSchema } from './tool.js';

const client_id: JsonSchema = {
  type: 'string',
  pattern: clientIdPattern,
  description: 'from the `hello` of the provider stream',
};
const revision: JsonSchema = { type: 'integer', minimum: 0, description: 'goes up by one with each change' };
const empty: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** `POST /api/v1/client-tools`. The tools are checked one by one by the broker, which names the bad place. */
export const registerBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    group: { type: 'string', pattern: groupNamePattern },
    tools: {
      type: 'array',
      items: {
        type: 'object',
        description:
          '`name`, `input_schema`, and optionally `description` and `timeout_s`; see docs/app-authors.md',
      },
    },
  },
  required: ['client_id', 'group', 'tools'],
  additionalProperties: false,
};
export interface WireRegisterBody {
  readonly client_id: string;
  readonly group: string;
  readonly tools: readonly unknown[];
}

export const registerData: JsonSchema = {
  type: 'object',
  properties: { revision, tools: { type: 'array', items: { type: 'string' } } },
  required: ['revision', 'tools'],
  additionalProperties: false,
};

export const withdrawQuery: JsonSchema = {
  type: 'object',
  properties: { client_id: { type: 'string' } },
  required: ['client_id'],
  additionalProperties: false,
};
export const withdrawData: JsonSchema = {
  type: 'object',
  properties: { revision },
  required: ['revision'],
  additionalProperties: false,
};

export const registeredData: JsonSchema = {
  type: 'object',
  properties: {
    revision,
    groups: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          group: { type: 'string' },
          client_id,
          connected: { type: 'boolean', description: 'false while the app is away and may still come back' },
          tools: { type: 'array', items: toolSchema },
        },
        required: ['group', 'client_id', 'connected', 'tools'],
        additionalProperties: false,
      },
    },
  },
  required: ['revision', 'groups'],
  additionalProperties: false,
};

/** One open call, as apps see it. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutS: number;
  /** When its agent made it, in epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds; undefined for a handoff. */
  readonly deadline: number | undefined;
  readonly claimedBy: ClientId | undefined;
}
export interface WireOpenRequest {
  readonly id: string;
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeout_s: number;
  readonly created_at: string;
  readonly deadline: string | null;
  readonly state: 'parked' | 'claimed';
  readonly claimed_by: string | null;
}
export const openRequestSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    agent: { type: 'string' },
    group: { type: 'string' },
    tool: { type: 'string' },
    arguments: { type: 'object' },
    timeout_s: { type: 'integer' },
    created_at: { type: 'string', format: 'date-time', description: 'when its agent made it' },
    deadline: { type: ['string', 'null'], format: 'date-time', description: 'null for a handoff' },
    state: { enum: ['parked', 'claimed'] },
    claimed_by: { type: ['string', 'null'], description: 'the client_id of the claimant' },
  },
  required: [
    'id',
    'agent',
    'group',
    'tool',
    'arguments',
    'timeout_s',
    'created_at',
    'deadline',
    'state',
    'claimed_by',
  ],
  additionalProperties: false,
};
export function encodeOpenRequest(request: OpenRequest): WireOpenRequest {
  return {
    id: request.id,
    agent: request.agent,
    group: request.group,
    tool: request.tool,
    arguments: request.arguments,
    timeout_s: request.timeoutS,
    created_at: new Date(request.createdAt).toISOString(),
    deadline: request.deadline === undefined ? null : new Date(request.deadline).toISOString(),
    state: request.claimedBy === undefined ? 'parked' : 'claimed',
    claimed_by: request.claimedBy ?? null,
  };
}

export const pendingQuery: JsonSchema = {
  type: 'object',
  properties: { pending: { const: '1', description: 'calls that have not ended; no others are kept' } },
  required: ['pending'],
  additionalProperties: false,
};
export const pendingData: JsonSchema = {
  type: 'object',
  properties: { requests: { type: 'array', items: openRequestSchema } },
  required: ['requests'],
  additionalProperties: false,
};

export const claimBody: JsonSchema = {
  type: 'object',
  properties: { client_id: { type: 'string' } },
  required: ['client_id'],
  additionalProperties: false,
};
export interface WireClaimBody {
  readonly client_id: string;
}
export const claimData: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, deadline: { type: ['string', 'null'], format: 'date-time' } },
  required: ['id', 'deadline'],
  additionalProperties: false,
};

/** How far a claimed call has come (MCP `notifications/progress`). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
export const progressBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    progress: { type: 'number' },
    total: { type: 'number' },
    message: { type: 'string', maxLength: 1024 },
  },
  required: ['client_id', 'progress'],
  additionalProperties: false,
};
export interface WireProgressBody extends Progress {
  readonly client_id: string;
}

export const resultBody: JsonSchema = {
  type: 'object',
  properties: {
    client_id: { type: 'string' },
    ok: { type: 'boolean' },
    content: {
      type: 'array',
      items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      description: 'MCP content blocks; with `ok: true`',
    },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', pattern: failureCodePattern },
        message: { type: 'string', maxLength: maxFailureMessageLength },
      },
      required: ['code', 'message'],
      additionalProperties: false,
      description: 'with `ok: false`',
    },
  },
  required: ['client_id', 'ok'],
  additionalProperties: false,
  if: { properties: { ok: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
  then: { required: ['content'], not: { required: ['error'] } },
  else: { required: ['error'], not: { required: ['content'] } },
};
export type WireResultBody =
  | { readonly client_id: string; readonly ok: true; readonly content: readonly ContentBlock[] }
  | {
      readonly client_id: string;
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string };
    };
export function decodeOutcome(body: WireResultBody): Outcome {
  return body.ok
    ? { ok: true, content: body.content }
    : { ok: false, code: body.error.code, message: body.error.message };
}

/** The most text that a message holds, in bytes of UTF-8. */
export const maxMessageBytes = 256 * 1024;
export const messageBody: JsonSchema = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      minLength: 1,
      description: 'what is put into the prompt of the agent; at most 262,144 bytes',
    },
    from: {
      type: 'string',
      maxLength: 256,
      description:
        'the sender, as the agent is shown it; a scoped client says its own name, or `<name>#<suffix>`',
    },
  },
  required: ['text'],
  additionalProperties: false,
};
export interface WireMessageBody {
  readonly text: string;
  readonly from?: string;
}
/** What is answered to a message that was typed into the prompt of its agent. */
export interface WireMessageData {
  readonly id: string;
  /** The agent's whole name, where a part of it was enough. */
  readonly agent: string;
  readonly submitted: true | 'unconfirmed';
}
export const messageData: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'as in the event agent.message' },
    agent: { type: 'string', description: 'the whole name of the agent' },
    submitted: {
      enum: [true, 'unconfirmed'],
      description:
        '`true`: its prompt was seen to take it; `unconfirmed`: it was typed, and not seen to be taken',
    },
  },
  required: ['id', 'agent', 'submitted'],
  additionalProperties: false,
};

export const reloadData: JsonSchema = {
  type: 'object',
  properties: {
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'for people; what is odd and was let pass',
    },
  },
  required: ['warnings'],
  additionalProperties: false,
};

export const healthData: JsonSchema = {
  type: 'object',
  properties: {
    status: { const: 'ok' },
    version: { type: 'string' },
    uptime_s: { type: 'integer', minimum: 0 },
  },
  required: ['status', 'version', 'uptime_s'],
  additionalProperties: false,
};

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

/** What was seen of one version of a harness in use. */
export interface WireSeenHarness extends Harness {
  /** What it was seen to do last: whether it lists tools again after it was told of a change. */
  readonly relists: boolean;
  readonly relisted_at: string | null;
  readonly missed_at: string | null;
}
const seenAt = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});
export const harnessesData: JsonSchema = {
  type: 'object',
  properties: {
    harnesses: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'as in `clientInfo`' },
          version: { type: 'string' },
          relists: { type: 'boolean', description: 'what was seen last' },
          relisted_at: seenAt('when a session of it last listed tools again; within an hour'),
          missed_at: seenAt('when a session of it last went on without; within an hour'),
        },
        required: ['name', 'version', 'relists', 'relisted_at', 'missed_at'],
        additionalProperties: false,
      },
    },
  },
  required: ['harnesses'],
  additionalProperties: false,
};

/** Success with nothing to say: `{ok: true}`. */
export const emptyData: JsonSchema = empty;
