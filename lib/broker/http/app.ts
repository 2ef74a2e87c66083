// The HTTP side of the broker as one Fastify application, served by every listener (design 5, 10).
//
// What must stay true: every route comes from the table in lib/wire/routes.ts; before anything of a request is
// read its Host, Origin, token and role are checked; every answer but a stream is `{ok, data?, error?, code?}`;
// a fault of ours is answered with 500 and no detail, and logged.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { LeoError } from '../../wire/errors.js';
import { isObject, type JsonValue } from '../../wire/json.js';
import { maxBodyBytes, type Route, type RouteName, routes } from '../../wire/routes.js';
import { mustBeAllowed } from '../access/access-table.js';
import {
  bearerOf,
  type Listener,
  type Principal,
  principalOf,
  type TokenOwner,
} from '../access/principal.js';
import type { Broker } from '../broker.js';
import { checksMadeLater } from '../check/compiled-later.js';
import type { PageFile } from '../console/page-files.js';
import { shownSession } from '../console/shown-session.js';
import { expositionType } from '../metrics/exposition.js';
import { handlers } from './handlers.js';
import { checkHostAndOrigin, checkSameOrigin, type HostRules } from './origin.js';
import { sendPage, sendPageFile } from './page.js';
import { challenge, errorBody } from './refusal.js';
import type { Refusals } from './refusals.js';
import { throwAwayBody } from './unread-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set before the handler runs. */
    principal: Principal | null;
    /** The body's bytes as they came. */
    bytes: Buffer | null;
  }
  interface FastifyContextConfig {
    leo?: Route;
  }
}

export interface HttpOptions {
  readonly broker: Broker;
  readonly ownerOf: TokenOwner;
  readonly hostRules: () => HostRules;
  readonly listenerOf: (request: IncomingMessage) => Listener;
  /** The files of the console's page. */
  readonly page: ReadonlyMap<string, PageFile>;
  readonly log: (line: string) => void;
  readonly refusals: Refusals;
}

/** What a listener serves requests with. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes the application; the handler is for `http.Server`s that the caller makes and binds. */
export async function createApp(
  options: HttpOptions,
): Promise<{ app: FastifyInstance; handler: RequestHandler }> {
  let handler: RequestHandler | undefined;
  const checkOf = checksMadeLater({ strict: false });
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // A path that no router can read, or a part of it that is longer than any id, goes by every hook.
    frameworkErrors: (error, request, reply) => {
      try {
        authorize(options, request.raw, undefined);
        answerLeoError(new LeoError('invalid_request', error.message), reply, options);
      } catch (refusal) {
        if (!(refusal instanceof LeoError)) throw refusal;
        answerLeoError(refusal, reply, options);
      }
    },
    // The servers are made by the listeners, each of its own kind; this one is never bound.
    serverFactory: (handle) => {
      handler = handle;
      return createServer();
    },
    // Fastify's own compilers would be loaded, and would compile every schema, before it is ready. Answers are text
    // already, and what checks requests is set below.
    schemaController: {
      compilersFactory: {
        buildSerializer: () => () => JSON.stringify,
        buildValidator: () => () => {
          throw new Error('another compiler was set');
        },
      },
    },
  });
  app.setValidatorCompiler(({ schema }: { readonly schema: object }) => checkOf(schema));
  app.decorateRequest('principal', null);
  app.decorateRequest('bytes', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);
  app.addHook('onRequest', async (request) => {
    const { name } = request.params as { name?: string };
    request.principal = authorize(options, request.raw, request.routeOptions.config.leo, name);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await throwAwayBody(request.raw);
    answerError(error, request, reply, options);
    return reply;
  });
  app.setNotFoundHandler((request, reply) => {
    answerLeoError(
      new LeoError('not_found', `there is no ${request.method} ${request.url.split('?')[0]}`),
      reply,
      options,
    );
  });
  for (const name of Object.keys(routes) as RouteName[]) addRoute(app, name, options);
  await app.ready();
  if (handler === undefined) throw new Error('Fastify has made no handler');
  return { app, handler };
}

/**
 * Checks a request before anything of it is read, HTTP or upgrade.
 *
 * @param route undefined for a path that is none.
 * @param agent the name in the path, as written.
 * @throws {LeoError} `forbidden` for its Host, Origin or role, `unauthorized` for its token.
 */
export function authorize(
  options: HttpOptions,
  request: IncomingMessage,
  route: Route | undefined,
  agent?: string,
): Principal | null {
  const listener = options.listenerOf(request);
  const rules = options.hostRules();
  const named = (wanted: string) =>
    request.rawHeaders.filter((_, i) => i % 2 === 1 && request.rawHeaders[i - 1]?.toLowerCase() === wanted);
  const ofOurPage = () => {
    const { host, 'sec-fetch-site': fetchSite } = request.headers;
    if (listener === 'tcp')
      checkSameOrigin({ host, origins: named('origin'), fetchSite: fetchSite?.toString() });
  };
  if (listener === 'tcp')
    checkHostAndOrigin({ hosts: named('host'), origins: named('origin'), target: request.url ?? '' }, rules);
  if (route === routes.signIn) ofOurPage();
  if (route?.roles === 'anyone') return null;
  const { authorization } = request.headers;
  if (route?.withoutToken === true) {
    const owner = bearerOf(authorization, options.ownerOf);
    if (owner !== undefined) mustBeAllowed(route, owner, agent);
    return null;
  }
  const shown = shownSession(request.headers, rules.port);
  const console = shown === undefined ? undefined : () => options.broker.console.principalOf(shown);
  const principal = principalOf(listener, { authorization, console }, options.ownerOf);
  if (principal.role === 'console') ofOurPage();
  mustBeAllowed(route, principal, agent);
  return principal;
}

function addRoute(app: FastifyInstance, name: RouteName, { broker, page }: HttpOptions): void {
  const route: Route = routes[name];
  if (name === 'console' || name === 'consoleFile') {
    const send = name === 'console' ? sendPage : sendPageFile;
    app.route({
      method: ['GET', 'HEAD'],
      url: route.path,
      config: { leo: route },
      handler: (request, reply) => send(page, request, reply),
    });
    return;
  }
  if (name === 'metrics') {
    app.route({
      method: 'GET',
      url: route.path,
      config: { leo: route },
      handler: (_request, reply) =>
        reply
          .header('content-type', expositionType)
          .header('cache-control', 'no-store')
          .send(broker.metricsText()),
    });
    return;
  }
  app.route({
    method: route.method,
    url: route.path,
    config: { leo: route },
    schema: {
      ...(route.body === undefined ? {} : { body: route.body }),
      ...(route.query === undefined ? {} : { querystring: route.query }),
    },
    handler: (request, reply) => {
      const data: Answer | Promise<Answer> = handlers[name](broker, request, reply);
      // Answers that take no time are given at once: a turn of the event loop each would show in the calls.
      if (!(data instanceof Promise)) return answer(reply, data);
      return data.then((later) => {
        answer(reply, later);
        return reply;
      });
    },
  });
}

type Answer = JsonValue | object | undefined;

function answer(reply: FastifyReply, data: Answer): void {
  if (reply.sent) return;
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(data === undefined ? { ok: true } : { ok: true, data }));
}

function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
): void {
  const known = asLeoError(error);
  if (known !== undefined) return answerLeoError(known, reply, options);
  options.log(`error: ${request.method} ${request.routeOptions.url ?? '?'}: ${error.stack ?? error.message}`);
  reply.code(500).header('content-type', 'application/json; charset=utf-8');
  reply.send(JSON.stringify({ ok: false, error: 'something is wrong in the daemon; its log says what' }));
}

function answerLeoError(error: LeoError, reply: FastifyReply, { refusals }: HttpOptions): void {
  const { method, routeOptions, principal } = reply.request;
  refusals.refused(error, { method, route: routeOptions.url, role: principal?.role });
  if (error.code === 'unauthorized') reply.header('www-authenticate', challenge);
  reply.code(error.status).header('content-type', 'application/json; charset=utf-8').send(errorBody(error));
}

/** The error of the table that an error of Fastify's means, if any. */
function asLeoError(error: FastifyError): LeoError | undefined {
  if (error instanceof LeoError) return error;
  const [fault] = error.validation ?? [];
  if (fault !== undefined) {
    const place = `${error.validationContext === 'querystring' ? '$query' : '$'}${jsonPath(fault.instancePath)}`;
    const why =
      fault.keyword === 'additionalProperties'
        ? `unknown key ${JSON.stringify(fault.params.additionalProperty)}`
        : (fault.message ?? 'is not valid');
    return new LeoError('invalid_request', `at ${place}: ${why}`);
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new LeoError('too_large', `the body is larger than ${maxBodyBytes} bytes`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new LeoError('invalid_request', 'send the body as JSON, with Content-Type: application/json');
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new LeoError('invalid_request', error.message)
        : undefined;
  }
}

function jsonPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
}

function parseJson(
  request: FastifyRequest,
  body: Buffer | string,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  request.bytes = bytes;
  // Many clients name a type for the body that a DELETE does not have.
  if (request.routeOptions.config.leo?.body === undefined) return done(null, undefined);
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isObject(value)) throw new SyntaxError('it is not an object');
    done(null, value);
  } catch (error) {
    done(
      new LeoError(
        'invalid_request',
        `the body is not a JSON object: ${error instanceof Error ? error.message : error}`,
      ),
    );
  }
}
