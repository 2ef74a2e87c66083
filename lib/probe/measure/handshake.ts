// Section 1, the handshake: what a harness says first, who it says it is, and what it can do.

import { isJsonObject, type JsonObject, type JsonValue } from '../../wire/json.js';
import { evidenceOf, type Figures, isFromHarness } from '../figure.js';
import type { Trace } from '../trace.js';

/** The cells of the handshake, from the messages of one run. */
export function handshakeOf(trace: Trace): Figures {
  const messages = trace.entries.flatMap((entry) =>
    entry.kind === 'from-harness' && isJsonObject(entry.message) ? [entry.message] : [],
  );
  const of = (method: string) => messages.filter((message) => message.method === method);
  const first = messages[0];
  const initialize = objectIn(of('initialize')[0], 'params');
  const calls = of('tools/call').map((message) => objectIn(objectIn(message, 'params'), '_meta'));
  const evidence = evidenceOf(trace, (entry) => entry.kind === 'from-harness', 2);
  const callEvidence = evidenceOf(trace, (entry) => isFromHarness(entry, 'tools/call'), 1);
  const keys = [...new Set(calls.flatMap((meta) => Object.keys(meta)))].sort();
  const cancels = of('notifications/cancelled').length;
  return {
    'first message': {
      value: first?.method === 'initialize' ? 'initialize' : `${text(first?.method)}, then initialize`,
      evidence,
    },
    clientInfo: { value: JSON.stringify(initialize.clientInfo ?? null), evidence },
    protocolVersion: { value: text(initialize.protocolVersion), evidence },
    capabilities: { value: JSON.stringify(initialize.capabilities ?? null), evidence },
    'progressToken in tools/call': {
      value: keys.includes('progressToken') ? 'yes' : 'no',
      evidence: callEvidence,
    },
    '_meta of tools/call': {
      value: keys.filter((key) => key !== 'progressToken').join(', ') || 'nothing else',
      evidence: callEvidence,
    },
    'cancels calls that were answered': {
      value: cancels > 0 ? 'yes' : 'no',
      evidence: evidenceOf(trace, (entry) => isFromHarness(entry, 'notifications/cancelled'), 2),
    },
  };
}

function objectIn(object: JsonObject | undefined, key: string): JsonObject {
  const value = object?.[key];
  return isJsonObject(value) ? value : {};
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'nothing';
}
