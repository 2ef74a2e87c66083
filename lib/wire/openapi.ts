// docs/openapi.json, made from the table of routes and its schemas (OpenAPI 3.1), so that it cannot say
// anything else than what the broker does. Pure.

import { errorTable } from './errors.js';
import { eventSchemas } from './events.js';
import type { JsonSchema } from './json.js';
import { type Route, routes } from './routes.js';

const commonErrors = ['unauthorized', 'forbidden'] as const;

/** The OpenAPI document of the HTTP API. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leo',
      version,
      description:
        'The local broker between apps and coding agents. docs/app-authors.md tells how to use it.',
    },
    servers: [{ url: 'http://127.0.0.1:8370' }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'state/api.token, state/agent.token, or a token of `leo device add` or `leo client add`; on the unix socket none is needed',
        },
        console: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Leo-Console',
          description:
            'the csrf of POST /api/v1/console/session, together with the cookie leo_console_<port> that it has set',
        },
      },
      schemas: {
        Error: errorSchema(Object.keys(errorTable)),
        ...Object.fromEntries(
          Object.entries(eventSchemas).map(([type, schema]) => [eventName(type), { title: type, ...schema }]),
        ),
      },
    },
  };
}

function operation(name: string, route: Route): object {
  const parameters = [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...queryParameters(route.query),
  ];
  return {
    operationId: name,
    summary: route.summary,
    description: `Who may call: ${callers(route)}.`,
    ...(route.roles === 'anyone' ? {} : { security: security(route) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: { ...success(name, route), ...failures(route) },
  };
}

function callers({ roles, withoutToken }: Route): string {
  if (roles === 'anyone') return 'anyone';
  return `${roles.join(', ')}${withoutToken ? ', and who shows no token' : ''}`;
}

function security({ roles, withoutToken }: Route): readonly object[] {
  const [bearer, page] = [{ bearer: [] }, { console: [] }];
  if (withoutToken) return [{}, bearer];
  if (!roles.includes('console')) return [bearer];
  return roles.length === 1 ? [page] : [bearer, page];
}

function queryParameters(query: JsonSchema | undefined): object[] {
  const properties = (query?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (query?.required ?? []) as readonly string[];
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function success(name: string, route: Route): object {
  if (route.data !== undefined) {
    const hasData = Object.keys((route.data.properties ?? {}) as object).length > 0;
    const schema = {
      type: 'object',
      properties: { ok: { const: true }, ...(hasData ? { data: route.data } : {}) },
      required: hasData ? ['ok', 'data'] : ['ok'],
    };
    return { 200: { description: 'done', content: { 'application/json': { schema } } } };
  }
  if (route.file)
    return { 200: { description: 'the file', content: { '*/*': { schema: { type: 'string' } } } } };
  if (name === 'gateway') return { 101: { description: 'a WebSocket that carries JSON-RPC' } };
  const events = Object.keys(eventSchemas).map(
    (type) => `\`${type}\` (#/components/schemas/${eventName(type)})`,
  );
  return {
    200: {
      description: `the stream, until either side ends it; its events: ${events.join(', ')}`,
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
  };
}

function failures(route: Route): object {
  const byStatus = new Map<number, string[]>();
  const codes = new Set([
    ...route.errors,
    ...(route.roles === 'anyone' || route.withoutToken ? (['forbidden'] as const) : commonErrors),
    ...(route.body === undefined ? [] : (['too_large'] as const)),
  ]);
  for (const code of codes)
    byStatus.set(errorTable[code].status, [...(byStatus.get(errorTable[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus.entries()]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        status,
        {
          description: list
            .map((code) => `\`${code}\`: ${errorTable[code as keyof typeof errorTable].meaning}`)
            .join('; '),
          content: { 'application/json': { schema: errorSchema(list) } },
        },
      ]),
  );
}

function errorSchema(codes: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      ok: { const: false },
      error: { type: 'string', description: 'for people: the place and the mend' },
      code: { enum: codes },
    },
    required: ['ok', 'error', 'code'],
  };
}

/** `client_tool.request` as a component's name: `ClientToolRequestEvent`. */
function eventName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
