// `GET /` and `GET /console/{file}`: the page of the console and what it is made of. Anyone may load it, since it holds
// no data; what it shows it asks for with its session.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LeoError } from '../../wire/errors.js';
import { chosenEncoding, type PageFile, pageName } from '../console/page-files.js';

/** What the page may do: load its own files, ask this daemon, show images that it was given. Nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
} as const;

/**
 * Answers with the page.
 *
 * @throws {LeoError} `not_found` when it is not there.
 */
export function sendPage(
  files: ReadonlyMap<string, PageFile>,
  request: FastifyRequest,
  reply: FastifyReply,
): undefined {
  const page = files.get(pageName);
  if (page === undefined)
    throw new LeoError('not_found', 'this Leo was built without its console; build it anew: npm run build');
  return send(page, request, reply);
}

/** @throws {LeoError} `not_found`. */
export function sendPageFile(
  files: ReadonlyMap<string, PageFile>,
  request: FastifyRequest,
  reply: FastifyReply,
): undefined {
  const { file: name } = request.params as { file: string };
  const file = name === pageName ? undefined : files.get(name);
  if (file === undefined)
    throw new LeoError('not_found', `the console has no file ${JSON.stringify(name)}; load the page again`);
  return send(file, request, reply);
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): undefined {
  const accepted = request.headers['accept-encoding'];
  const encoding = chosenEncoding(Array.isArray(accepted) ? accepted.join() : accepted, file);
  const body = file.bodies[encoding] ?? file.bodies.identity;
  if (body === undefined) throw new Error('a file of the console without its bytes');
  reply.hijack();
  const response = reply.raw;
  const head = {
    ...headers,
    etag: body.etag,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (isSame(request.headers['if-none-match'], body.etag)) {
    response.writeHead(304, head).end();
    return undefined;
  }
  response.writeHead(200, {
    ...head,
    'content-type': file.type,
    'content-length': body.bytes.length,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  // To a HEAD, Node sends the head alone.
  response.end(body.bytes);
  return undefined;
}

/** Whether a reader has this content already (RFC 9110, 13.1.2). */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === etag || one === '*');
}
