// What the broker says (lib/wire/link.ts), taken apart. Pure.
//
// The content of an outcome stays the bytes that it came as: it is on its way to the harness, and the broker
// has checked it (design 7). Everything else is parsed, and only what has the form of the contract is let in.

import { type RequestId, requestId } from '../../wire/ids.js';
import { isObject } from '../../wire/json.js';
import {
  type BrokerNotifications,
  linkError,
  type WireCatalogue,
  type WireHelloResult,
} from '../../wire/link.js';
import type { CatalogueTool } from '../../wire/tool.js';
import { decodeCatalogueTool } from '../../wire/tool.js';
import { RawContent } from '../stdio/outbound.js';

/** How a call ended, as the gateway passes it on. */
export type RelayedOutcome =
  | { readonly ok: true; readonly content: RawContent }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The tools of all apps. */
export interface Catalogue {
  readonly everRegistered: boolean;
  readonly tools: readonly CatalogueTool[];
}

export interface Greeting {
  /** The version of the protocol that the broker has picked. */
  readonly protocol: number;
  readonly version: string;
  readonly epoch: string;
  readonly catalogue: Catalogue;
  readonly denied: readonly string[];
  /** Whether the harness was seen to re-list; undefined where nothing was seen of it. */
  readonly relists: boolean | undefined;
}

export type BrokerMessage =
  | { readonly kind: 'outcome'; readonly id: RequestId; readonly outcome: RelayedOutcome }
  /** The answer to a request that is no call. */
  | { readonly kind: 'answer'; readonly id: string; readonly result: unknown }
  | {
      readonly kind: 'refusal';
      readonly id: string;
      readonly code: number;
      /** The code in a word, where the broker gave one. */
      readonly word: string | undefined;
      readonly message: string;
    }
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'denied'; readonly denied: readonly string[] }
  | { readonly kind: 'claimed'; readonly id: RequestId; readonly claimant: string }
  | { readonly kind: 'unclaimed'; readonly id: RequestId }
  | { readonly kind: 'progress'; readonly id: RequestId; readonly progress: AppProgress }
  /** A method of a newer broker, or nothing that this protocol knows. */
  | { readonly kind: 'unknown' };

export interface AppProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const unknown: BrokerMessage = { kind: 'unknown' };
const callIdStart = 'r_';
const successHead = Buffer.from('{"jsonrpc":"2.0","id":"r_');
const successTail = Buffer.from('}}');

export function readBrokerMessage(data: Buffer): BrokerMessage {
  const success = readSuccess(data);
  if (success !== undefined) return success;
  let value: unknown;
  try {
    value = JSON.parse(data.toString());
  } catch {
    return unknown; // Not JSON, so of no protocol that this gateway could follow.
  }
  if (!isObject(value)) return unknown;
  if (typeof value.method === 'string') {
    return isObject(value.params) ? readNotification(value.method, value.params) : unknown;
  }
  if (typeof value.id !== 'string') return unknown;
  return isObject(value.error) ? readError(value.id, value.error) : readResult(value.id, value.result);
}

/** A successful outcome exactly as `encodeOutcome` and JSON.stringify write it: its content is cut out unread. */
function readSuccess(data: Buffer): BrokerMessage | undefined {
  if (!data.subarray(0, successHead.length).equals(successHead)) return undefined;
  const idEnd = data.indexOf('"', successHead.length);
  const id = data.toString('latin1', successHead.length - callIdStart.length, idEnd);
  const between = `","result":{"content":`;
  const start = idEnd + between.length;
  const end = data.length - successTail.length;
  if (idEnd < 0 || data.toString('latin1', idEnd, start) !== between) return undefined;
  // A line end inside would break the line to the harness: then it is parsed and written anew.
  if (!data.subarray(end).equals(successTail) || data.includes('\n')) return undefined;
  return {
    kind: 'outcome',
    id: requestId(id),
    outcome: { ok: true, content: new RawContent(data.subarray(start, end)) },
  };
}

function readResult(id: string, result: unknown): BrokerMessage {
  if (!id.startsWith(callIdStart)) return { kind: 'answer', id, result };
  if (!isObject(result) || !Array.isArray(result.content)) return unknown;
  const content = new RawContent(Buffer.from(JSON.stringify(result.content)));
  return { kind: 'outcome', id: requestId(id), outcome: { ok: true, content } };
}

function readError(id: string, error: Readonly<Record<string, unknown>>): BrokerMessage {
  const message = typeof error.message === 'string' ? error.message : 'no reason was given';
  const code = typeof error.code === 'number' ? error.code : linkError.callFailed;
  const word = isObject(error.data) && typeof error.data.code === 'string' ? error.data.code : undefined;
  if (!id.startsWith(callIdStart)) return { kind: 'refusal', id, code, word, message };
  return { kind: 'outcome', id: requestId(id), outcome: { ok: false, code: word ?? 'failed', message } };
}

function readNotification(method: string, params: Readonly<Record<string, unknown>>): BrokerMessage {
  const known = method as keyof BrokerNotifications;
  switch (known) {
    case 'catalogue/changed':
      return isCatalogue(params) ? { kind: 'catalogue', catalogue: decodeCatalogue(params) } : unknown;
    case 'denied/changed':
      return isTexts(params.denied) ? { kind: 'denied', denied: params.denied } : unknown;
    case 'call/claimed':
      return typeof params.id === 'string' && typeof params.client_id === 'string'
        ? { kind: 'claimed', id: requestId(params.id), claimant: params.client_id }
        : unknown;
    case 'call/unclaimed':
      return typeof params.id === 'string' ? { kind: 'unclaimed', id: requestId(params.id) } : unknown;
    case 'call/progress': {
      const { id, progress, total, message } = params;
      if (typeof id !== 'string' || typeof progress !== 'number') return unknown;
      return {
        kind: 'progress',
        id: requestId(id),
        progress: {
          progress,
          ...(typeof total === 'number' ? { total } : {}),
          ...(typeof message === 'string' ? { message } : {}),
        },
      };
    }
    default:
      known satisfies never;
      return unknown;
  }
}

/** The result of `hello`, or undefined where it is not of the contract's form. */
export function readGreeting(result: unknown): Greeting | undefined {
  if (!isGreeting(result)) return undefined;
  return {
    protocol: result.protocol,
    version: result.version,
    epoch: result.epoch,
    catalogue: decodeCatalogue(result.catalogue),
    denied: result.denied,
    relists: typeof result.relists === 'boolean' ? result.relists : undefined,
  };
}

function decodeCatalogue(wire: WireCatalogue): Catalogue {
  return { everRegistered: wire.ever_registered, tools: wire.tools.map(decodeCatalogueTool) };
}

// A daemon of before `relists` was there does not say it; the link's protocol is the same.
function isGreeting(value: unknown): value is Omit<WireHelloResult, 'relists'> & { relists?: unknown } {
  return (
    isObject(value) &&
    typeof value.protocol === 'number' &&
    typeof value.version === 'string' &&
    typeof value.epoch === 'string' &&
    isCatalogue(value.catalogue) &&
    isTexts(value.denied)
  );
}

function isCatalogue(value: unknown): value is WireCatalogue {
  return (
    isObject(value) &&
    typeof value.ever_registered === 'boolean' &&
    Array.isArray(value.tools) &&
    value.tools.every(
      (tool) =>
        isObject(tool) &&
        [tool.name, tool.group, tool.provider].every((text) => typeof text === 'string') &&
        ['string', 'undefined'].includes(typeof tool.description) &&
        isObject(tool.input_schema) &&
        typeof tool.timeout_s === 'number' &&
        typeof tool.keyed === 'boolean',
    )
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
