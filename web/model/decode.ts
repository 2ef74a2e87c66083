// From the daemon's JSON to what the page knows: the border, where `unknown` is left. Pure. What is not of the form
// that it should have is passed over, so that a newer daemon never breaks an older page.

import { isJsonObject, isObject } from '../../lib/wire/json.js';
import { defaultTimeoutS, type WireTool } from '../../lib/wire/tool.js';
import type { Agent, ConsoleEvent, Group, Hello, OpenCall, OwnRequest } from './facts.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const time = (value: unknown): number | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/** Parses JSON; undefined for what is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The data of an event. `now` is when a call was first seen, should the daemon not say. */
export function decodeEvent(type: string, data: unknown, now: number): ConsoleEvent | undefined {
  if (!isObject(data)) return undefined;
  const id = text(data.id) ?? '';
  const name = text(data.name) ?? '';
  const harness = isObject(data.harness) ? text(data.harness.name) : undefined;
  switch (type) {
    case 'client_tool.request': {
      const call = decodeCall(data, now);
      return call === undefined ? undefined : { type: 'request', call };
    }
    case 'client_tool.claimed':
      return { type: 'claimed', id, clientId: text(data.client_id) ?? '' };
    case 'client_tool.cancelled':
      return { type: 'cancelled', id, reason: text(data.reason) };
    case 'client_tool.settled':
      return { type: 'settled', id, outcome: text(data.outcome) ?? '' };
    case 'client_tools.changed':
      return {
        type: 'tools',
        revision: typeof data.revision === 'number' ? data.revision : 0,
        names: list(data.tools).map(String),
      };
    case 'agent.started':
      return { type: 'started', name, harness, mode: text(data.mode) };
    case 'agent.stopped':
      return { type: 'stopped', name, harness };
    case 'agent.message':
      return {
        type: 'message',
        name,
        from: text(data.from) ?? '',
        submitted: data.submitted === true ? true : 'unconfirmed',
      };
    default:
      return { type: 'other', name: type };
  }
}

/** An open call, in a list or in an event; its arguments are left behind. */
export function decodeCall(value: unknown, now: number): OpenCall | undefined {
  if (!isObject(value) || typeof value.id !== 'string') return undefined;
  return {
    id: value.id,
    agent: text(value.agent) ?? '',
    group: text(value.group) ?? '',
    tool: text(value.tool) ?? '',
    state: value.state === 'claimed' ? 'claimed' : 'parked',
    claimedBy: text(value.claimed_by),
    since: time(value.created_at) ?? now,
    deadline: time(value.deadline),
  };
}

/** A call with its arguments, in `hello` or in an event of a provider stream. */
export function decodeOwnRequest(value: unknown, clientId: string | undefined): OwnRequest | undefined {
  if (!isObject(value) || !isJsonObject(value.arguments)) return undefined;
  const { id, agent, tool, arguments: args, claimed_by } = value;
  if (typeof id !== 'string' || typeof agent !== 'string' || typeof tool !== 'string') return undefined;
  const claimed = clientId !== undefined && claimed_by === clientId;
  return { id, agent, tool, arguments: args, since: time(value.created_at), claimed };
}

/** Of the list of open calls, those of one group that an app has claimed, or may claim. */
export function decodeOwnRequests(data: unknown, group: string, clientId: string): readonly OwnRequest[] {
  if (!isObject(data)) return [];
  return list(data.requests).flatMap((each) => {
    if (!isObject(each) || each.group !== group) return [];
    if (typeof each.claimed_by === 'string' && each.claimed_by !== clientId) return [];
    return decodeOwnRequest(each, clientId) ?? [];
  });
}

export function decodeHello(data: unknown): Hello | undefined {
  if (!isObject(data) || typeof data.epoch !== 'string') return undefined;
  const clientId = text(data.client_id);
  return {
    epoch: data.epoch,
    version: text(data.version) ?? '?',
    heartbeatS: typeof data.heartbeat_s === 'number' ? data.heartbeat_s : 15,
    clientId,
    requests: list(data.requests).flatMap((each) => decodeOwnRequest(each, clientId) ?? []),
  };
}

/** The running agents. `now` is since when one is there, should the daemon not say. */
export function decodeAgents(data: unknown, now: number): readonly Agent[] {
  if (!isObject(data)) return [];
  return list(data.agents).flatMap((each) => decodeAgent(each, now) ?? []);
}

function decodeAgent(value: unknown, now: number): Agent | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const { name, kind, mode, harness, supervised } = value;
  return {
    name,
    kind: kind === 'supervised' ? kind : 'attached',
    harness: isObject(harness)
      ? [text(harness.name) ?? '?', text(harness.version) ?? ''].join(' ').trim()
      : undefined,
    mode: mode === 'native' || mode === 'fallback' ? mode : undefined,
    since: time(value.started_at) ?? now,
    supervised: isObject(supervised)
      ? {
          harness: text(supervised.harness) ?? '?',
          state: text(supervised.state) ?? '?',
          detail: text(supervised.detail),
        }
      : undefined,
  };
}

export function decodeGroups(data: unknown): readonly Group[] {
  if (!isObject(data)) return [];
  return list(data.groups).flatMap((each) => decodeGroup(each) ?? []);
}

function decodeGroup(value: unknown): Group | undefined {
  if (!isObject(value) || typeof value.group !== 'string' || typeof value.client_id !== 'string')
    return undefined;
  const { group, client_id, connected } = value;
  const tools = list(value.tools).flatMap((each) => decodeTool(each) ?? []);
  return { group, client_id, connected: connected !== false, tools };
}

function decodeTool(value: unknown): WireTool | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const { name, description, input_schema, timeout_s } = value;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: isJsonObject(input_schema) ? input_schema : {},
    timeout_s: typeof timeout_s === 'number' ? timeout_s : defaultTimeoutS,
  };
}

export function decodeCalls(data: unknown, now: number): readonly OpenCall[] {
  if (!isObject(data)) return [];
  return list(data.requests).flatMap((each) => decodeCall(each, now) ?? []);
}
