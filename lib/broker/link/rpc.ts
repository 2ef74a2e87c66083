// JSON-RPC 2.0 as it comes over the gateway link: text in, one tagged message out. Pure.

import { isObject } from '../../wire/json.js';

export type RpcMessage =
  | {
      readonly kind: 'request';
      readonly id: string | number;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** Neither: why. */
  | { readonly kind: 'invalid'; readonly why: string };

export function parseRpc(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'invalid', why: `not JSON: ${error instanceof Error ? error.message : error}` };
  }
  if (!isObject(value)) return { kind: 'invalid', why: 'not an object' };
  const { id, method, params = {} } = value;
  if (typeof method !== 'string') return { kind: 'invalid', why: 'no method' };
  if (id === undefined) return { kind: 'notification', method, params };
  if (typeof id !== 'string' && typeof id !== 'number')
    return { kind: 'invalid', why: 'an id that is neither text nor a number' };
  return { kind: 'request', id, method, params };
}

export function rpcResult(id: string | number, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

export function rpcError(id: string | number, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
}

export function rpcNotification(method: string, paramsJson: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${paramsJson}}`;
}
