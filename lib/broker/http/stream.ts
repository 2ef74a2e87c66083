// `GET /api/v1/events` (design 5): opens a reader on the event stream; with `client_tools=1` its caller becomes
// an app.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LeoError } from '../../wire/errors.js';
import { mustOfferTools } from '../access/access-table.js';
import { mustBeKnown } from '../access/principal.js';
import type { Broker } from '../broker.js';
import { clientIdFor } from '../events/event-streams.js';
import { StreamReader } from '../events/reader.js';

const head = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Answers with the stream; nothing more is sent by the route. */
export function openStream(broker: Broker, request: FastifyRequest, reply: FastifyReply): undefined {
  const { client_tools: provider, client_key: key } = request.query as {
    client_tools?: '1';
    client_key?: string;
  };
  if (key !== undefined && provider === undefined)
    throw new LeoError('invalid_request', 'at $query.client_key: goes with client_tools=1');
  const principal = mustBeKnown(request.principal);
  if (provider !== undefined) mustOfferTools(principal);
  const owner =
    provider === undefined
      ? { principal }
      : { principal, app: { clientId: clientIdFor(principal, key), keyed: key !== undefined } };
  const lastEventId = request.headers['last-event-id'];

  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, head);
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  // Named after the reader is made, since the reader needs what happens at its end.
  let stream: number | undefined;
  const reader = new StreamReader(response, () => {
    if (stream !== undefined) broker.streams.remove(stream);
  });
  stream = broker.streams.add(reader, typeof lastEventId === 'string' ? lastEventId : undefined, owner);
  return undefined;
}
