// Every route of the HTTP API, once (design 5 and 10). The broker registers its routes from this table, takes
// a body's schema and a caller's rights from it, and docs/openapi.json is made from it. A route that names no
// role answers 403 to everyone.

import * as bodies from './bodies/index.js';
import * as page from './console.js';
import type { ErrorCode } from './errors.js';
import type { JsonSchema } from './json.js';
import { linkPath } from './link.js';

/** Who may call: the bearer's kind, the operator behind the unix socket, or a browser that signed in (design 10). */
export type Role = 'operator' | 'console' | 'device' | 'agent' | 'client';
export const allRoles: readonly Role[] = ['operator', 'console', 'device', 'agent', 'client'];

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for a parameter, as Fastify writes it. */
  readonly path: string;
  /** `anyone` needs no token; otherwise the roles that may call. */
  readonly roles: 'anyone' | readonly Role[];
  /** A browser that has not signed in is let in too; who shows a token that counts is held to `roles`. */
  readonly withoutToken?: true;
  readonly summary: string;
  readonly body?: JsonSchema;
  readonly query?: JsonSchema;
  /** The schema of `data`; absent where the answer is no JSON envelope (a stream, an upgrade, a file). */
  readonly data?: JsonSchema;
  /** The answer is text: a file of the console's page, for which HEAD is answered too, or the metrics. */
  readonly file?: true;
  /** What can go wrong beyond what any route says (unauthorized, forbidden, too_large). */
  readonly errors: readonly ErrorCode[];
}

const apps: readonly Role[] = ['operator', 'console', 'device'];
const agents: readonly Role[] = ['operator', 'agent'];
/** Who may have the page of the console, which holds no data; with `withoutToken`. */
const pageReaders: readonly Role[] = ['operator', 'console', 'agent'];

export const routes = {
  health: {
    method: 'GET',
    path: '/health',
    roles: 'anyone',
    summary: 'Whether the daemon is up',
    data: bodies.healthData,
    errors: [],
  },
  events: {
    method: 'GET',
    path: '/api/v1/events',
    // A provider stream (`client_tools=1`) is refused to agents in the handler: the query decides, not the path.
    roles: ['operator', 'console', 'device', 'agent'],
    summary: 'The event stream; with client_tools=1 a provider stream',
    query: {
      type: 'object',
      properties: {
        client_tools: { const: '1', description: 'become a provider of tools' },
        client_key: {
          type: 'string',
          minLength: 8,
          maxLength: 256,
          description: 'a stable secret of the app, to keep its tools and calls over a reconnect',
        },
      },
      dependentRequired: { client_key: ['client_tools'] },
      additionalProperties: false,
    },
    errors: ['invalid_request'],
  },
  registered: {
    method: 'GET',
    path: '/api/v1/client-tools',
    roles: apps,
    summary: 'What is registered',
    data: bodies.registeredData,
    errors: [],
  },
  register: {
    method: 'POST',
    path: '/api/v1/client-tools',
    roles: apps,
    summary: 'Register a group of tools, replacing the group as a whole; an empty list withdraws it',
    body: bodies.registerBody,
    data: bodies.registerData,
    errors: ['invalid_request', 'unknown_client', 'invalid_tool', 'too_many_tools', 'name_conflict'],
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/v1/client-tools/groups/:group',
    roles: apps,
    summary: 'Withdraw one group',
    query: bodies.withdrawQuery,
    data: bodies.withdrawData,
    errors: ['invalid_request', 'unknown_client', 'not_found'],
  },
  requests: {
    method: 'GET',
    path: '/api/v1/client-tools/requests',
    roles: apps,
    summary: 'The calls still waiting, with arguments',
    query: bodies.pendingQuery,
    data: bodies.pendingData,
    errors: ['invalid_request'],
  },
  claim: {
    method: 'POST',
    path: '/api/v1/client-tools/requests/:id/claim',
    roles: apps,
    summary: 'Take a call: "I do this one"',
    body: bodies.claimBody,
    data: bodies.claimData,
    errors: [
      'invalid_request',
      'unknown_client',
      'unknown_request',
      'owned_by_other',
      'already_claimed',
      'already_settled',
    ],
  },
  progress: {
    method: 'POST',
    path: '/api/v1/client-tools/requests/:id/progress',
    roles: apps,
    summary: 'Show the agent how far a claimed call has come',
    body: bodies.progressBody,
    data: bodies.emptyData,
    errors: ['invalid_request', 'unknown_client', 'unknown_request', 'not_claimant', 'already_settled'],
  },
  result: {
    method: 'POST',
    path: '/api/v1/client-tools/requests/:id/result',
    roles: apps,
    summary: 'Settle a claimed call',
    body: bodies.resultBody,
    data: bodies.emptyData,
    errors: [
      'invalid_request',
      'invalid_result',
      'unknown_client',
      'unknown_request',
      'not_claimant',
      'already_settled',
    ],
  },
  cancel: {
    method: 'POST',
    path: '/api/v1/client-tools/requests/:id/cancel',
    roles: ['operator', 'console'],
    summary: 'End a call in place of its agent and its app; both are told that it was cancelled',
    data: bodies.emptyData,
    errors: ['unknown_request', 'already_settled'],
  },
  agents: {
    method: 'GET',
    path: '/api/v1/agents',
    roles: ['operator', 'console', 'agent'],
    summary: 'The running agents',
    data: bodies.agentsData,
    errors: [],
  },
  agentsOlder: {
    method: 'GET',
    path: '/api/agent/list',
    roles: agents,
    summary: 'The running agents, under the older name of the route',
    data: bodies.agentsData,
    errors: [],
  },
  spawn: {
    method: 'POST',
    path: '/api/v1/agents',
    roles: agents,
    summary: 'Start an agent of a template in leo.yaml, in tmux',
    body: bodies.spawnBody,
    data: bodies.spawnData,
    errors: ['invalid_request', 'not_found', 'name_conflict', 'unavailable'],
  },
  spawnOlder: {
    method: 'POST',
    path: '/api/agent/spawn',
    roles: agents,
    summary: 'Start an agent, under the older name of the route',
    body: bodies.spawnBody,
    data: bodies.spawnData,
    errors: ['invalid_request', 'not_found', 'name_conflict', 'unavailable'],
  },
  stop: {
    method: 'DELETE',
    path: '/api/v1/agents/:name',
    roles: agents,
    summary: 'End an agent that Leo has started, and forget it',
    data: bodies.stopData,
    errors: ['invalid_request', 'not_found'],
  },
  stopOlder: {
    method: 'POST',
    path: '/api/agent/stop',
    roles: agents,
    summary: 'End an agent that Leo has started, under the older name of the route',
    body: bodies.stopBody,
    data: bodies.stopData,
    errors: ['invalid_request', 'not_found'],
  },
  harnesses: {
    method: 'GET',
    path: '/api/v1/harnesses',
    roles: ['operator'],
    summary: 'Which harnesses were seen to list tools again after a change, and which were not',
    data: bodies.harnessesData,
    errors: [],
  },
  reload: {
    method: 'POST',
    path: '/api/v1/reload',
    roles: ['operator'],
    summary: 'Read leo.yaml and the tokens again; a file that cannot be used changes no setting',
    data: bodies.reloadData,
    errors: ['invalid_config'],
  },
  message: {
    method: 'POST',
    path: '/web/agent/:name/message',
    roles: ['operator', 'console', 'agent', 'client'],
    summary: 'Put text into the prompt of an agent and submit it',
    body: bodies.messageBody,
    data: bodies.messageData,
    errors: ['invalid_request', 'not_found', 'not_deliverable'],
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    roles: ['operator'],
    summary: 'What the daemon counts of itself, as text for Prometheus (0.0.4)',
    file: true,
    errors: [],
  },
  consoleLink: {
    method: 'POST',
    path: '/api/v1/console/links',
    roles: ['operator'],
    summary: 'Make a link that signs a browser in to the console, once',
    data: page.consoleLinkData,
    errors: [],
  },
  signIn: {
    method: 'POST',
    path: '/api/v1/console/session',
    roles: pageReaders,
    withoutToken: true,
    summary:
      'Sign a browser in with the code of a link; sets a cookie, which counts only with the header X-Leo-Console',
    body: page.signInBody,
    data: page.signInData,
    errors: ['invalid_request', 'unauthorized'],
  },
  signOut: {
    method: 'DELETE',
    path: '/api/v1/console/session',
    roles: ['console'],
    summary: 'Sign this browser out; its streams end at once',
    data: bodies.emptyData,
    errors: [],
  },
  signOutAll: {
    method: 'DELETE',
    path: '/api/v1/console/sessions',
    roles: ['operator'],
    summary: 'Sign every browser out',
    data: page.signOutAllData,
    errors: [],
  },
  console: {
    method: 'GET',
    path: '/',
    roles: pageReaders,
    withoutToken: true,
    summary: 'The page of the console; it holds no data',
    file: true,
    // And `not_found` where Leo was built without it.
    errors: [],
  },
  consoleFile: {
    method: 'GET',
    path: '/console/:file',
    roles: pageReaders,
    withoutToken: true,
    summary: 'What the page of the console is made of',
    file: true,
    errors: ['not_found'],
  },
  gateway: {
    method: 'GET',
    path: linkPath,
    roles: agents,
    summary: 'The link of a gateway (WebSocket upgrade, JSON-RPC; lib/wire/link.ts)',
    errors: ['invalid_request'],
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof routes;

/** The largest body that any route takes, in bytes: a result at its limit, escaped as JSON may escape it. */
export const maxBodyBytes = 32 * 1024 * 1024;
