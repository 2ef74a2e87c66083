// The servers that rows measure side by side: the bare floor, the SDK's, and Leo's gateway.

import { join } from 'node:path';
import { type McpClient, startClient } from './mcp-client.js';
import { root } from './root.js';
import type { Stage } from './stage.js';

/** The kinds in the order in which a round measures them. */
export const kinds = ['floor', 'sdk', 'leo'] as const;
export type Kind = (typeof kinds)[number];
/** One of something for each kind. */
export type EachKind<T> = { readonly [Name in Kind]: T };

/** What Node is started with. */
export interface ServerCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function commandOf(kind: Kind, stage: Stage, agent = 'bench'): ServerCommand {
  if (kind === 'leo') return stage.gateway(agent);
  const file = kind === 'floor' ? 'bare.cjs' : 'sdk.mjs';
  return { args: [join(root, 'bench', 'floors', file)], env: process.env };
}

/** Starts one server of a kind, with the raw driver on it. */
export function start(kind: Kind, stage: Stage, agent?: string): McpClient {
  return startClient(commandOf(kind, stage, agent));
}
