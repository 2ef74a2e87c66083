// What each route does: a body that its schema has let through in, the answer's data out. The gateway's link is
// an upgrade and stands in link-server.ts; here it can only be asked for wrongly. The console's files are in page.ts, and
// the metrics, which are text, in app.ts.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { seenToRelist } from '../../config/seen-harnesses.js';
import type { WireSpawnBody, WireStopBody } from '../../wire/bodies/agents.js';
import {
  decodeOutcome,
  encodeOpenRequest,
  type WireClaimBody,
  type WireProgressBody,
  type WireResultBody,
} from '../../wire/bodies/calls.js';
import type { WireMessageBody } from '../../wire/bodies/message.js';
import type { WireRegisterBody } from '../../wire/bodies/registration.js';
import type { WireSignInBody } from '../../wire/console.js';
import { LeoError } from '../../wire/errors.js';
import { clientId, requestId } from '../../wire/ids.js';
import type { RouteName } from '../../wire/routes.js';
import { encodeTool } from '../../wire/tool.js';
import { senderOf } from '../access/client-rules.js';
import { mustBeKnown } from '../access/principal.js';
import { agentsOf, spawnAgent, stopAgent } from '../agents/agent-requests.js';
import type { Broker } from '../broker.js';
import { checkedOutcome } from '../check/content.js';
import { wellFormed } from '../check/well-formed.js';
import { fingerprintOf } from './fingerprint.js';
import { openStream } from './stream.js';

type Handler = (
  broker: Broker,
  request: FastifyRequest,
  reply: FastifyReply,
) => object | undefined | Promise<object | undefined>;

export const handlers = {
  health: (broker) => ({ status: 'ok', version: broker.version, uptime_s: broker.uptimeS }),

  events: (broker, request, reply) => openStream(broker, request, reply),

  registered: (broker) => {
    const byGroup = new Map<
      string,
      { group: string; client_id: string; connected: boolean; tools: object[] }
    >();
    for (const tool of broker.core.catalogue()) {
      const key = `${tool.provider} ${tool.group}`;
      const entry = byGroup.get(key) ?? {
        group: tool.group,
        client_id: tool.provider,
        connected: broker.core.isConnected(tool.provider),
        tools: [],
      };
      entry.tools.push(encodeTool(tool));
      byGroup.set(key, entry);
    }
    return { revision: broker.core.revision, groups: [...byGroup.values()] };
  },

  register: (broker, request) => {
    const body = request.body as WireRegisterBody;
    const tools = broker.decide((core) => core.register(clientId(body.client_id), body.group, body.tools));
    return { revision: broker.core.revision, tools };
  },

  withdraw: (broker, request) => {
    const { group } = request.params as { group: string };
    const { client_id } = request.query as { client_id: string };
    broker.decide((core) => core.withdraw(clientId(client_id), group));
    return { revision: broker.core.revision };
  },

  requests: (broker) => ({ requests: broker.core.openRequests().map(encodeOpenRequest) }),

  claim: (broker, request) => {
    const body = request.body as WireClaimBody;
    const call = broker.decide((core) => core.claim(clientId(body.client_id), callId(request)));
    const { id, deadline } = encodeOpenRequest(call);
    return { id, deadline };
  },

  progress: (broker, request) => {
    const { client_id, ...progress } = request.body as WireProgressBody;
    broker.decide((core) => core.progress(clientId(client_id), callId(request), wellFormed(progress)));
    return undefined;
  },

  result: (broker, request) => {
    const body = request.body as WireResultBody;
    const client = clientId(body.client_id);
    const id = callId(request);
    const fingerprint = fingerprintOf(request.bytes ?? Buffer.alloc(0));
    // Whether the app may answer at all comes before what it answers; a repeat is not looked at twice.
    broker.core.mayAnswer(client, id, fingerprint);
    const outcome = checkedOutcome(decodeOutcome(body));
    broker.decide((core) => core.result(client, id, outcome, fingerprint));
    return undefined;
  },

  cancel: (broker, request) => {
    broker.decide((core) => core.cancelForOperator(callId(request)));
    return undefined;
  },

  agents: (broker) => ({ agents: agentsOf(broker) }),
  agentsOlder: (broker) => ({ agents: agentsOf(broker) }),
  spawn: (broker, request) => spawnAgent(broker, request.body as WireSpawnBody),
  spawnOlder: (broker, request) => spawnAgent(broker, request.body as WireSpawnBody),
  stop: (broker, request) => stopAgent(broker, (request.params as { name: string }).name),
  stopOlder: (broker, request) => stopAgent(broker, (request.body as WireStopBody).name),

  gateway: () => {
    throw new LeoError('invalid_request', 'this is the link of a gateway: upgrade to a WebSocket');
  },

  harnesses: (broker) => ({
    harnesses: broker.seen.list.map((seen) => {
      const { name, version, relisted_at, missed_at } = seen;
      return { name, version, relists: seenToRelist(seen), relisted_at, missed_at };
    }),
  }),

  reload: (broker) => ({ warnings: broker.reload() }),

  consoleLink: (broker) => broker.console.newLink(),

  signIn: (broker, request, reply) => {
    const { csrf, until, cookie } = broker.console.signIn((request.body as WireSignInBody).code);
    reply.header('set-cookie', cookie).header('cache-control', 'no-store');
    return { csrf, expires_at: new Date(until).toISOString() };
  },

  signOut: (broker, request, reply) => {
    reply.header('set-cookie', broker.console.signOut(mustBeKnown(request.principal)));
    return undefined;
  },

  signOutAll: (broker) => ({ ended: broker.console.signOutAll() }),

  message: (broker, request) => {
    const { name } = request.params as { name: string };
    const { text, from } = request.body as WireMessageBody;
    const { principal } = request;
    const sender = senderOf(principal, from);
    return broker.messages.send({
      to: name,
      text,
      from: sender ?? principal?.name ?? 'unknown',
      // A client is given names, and gets to no agent that is not called so.
      shorthand: principal?.role !== 'client',
      maySend: () => principal === null || broker.mayStillMessage(principal, name),
    });
  },
} as const satisfies Record<Exclude<RouteName, 'console' | 'consoleFile' | 'metrics'>, Handler>;

function callId(request: FastifyRequest) {
  return requestId((request.params as { id: string }).id);
}
