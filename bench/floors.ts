// The servers that rows measure side by side: the bare floor, the SDK's, and Leo's gateway.

import { join } from 'node:path';
import { type McpClient, startClient } from './mcp-client.js';
import { root } from './root.js';
import type { Stage } from './stage.js';

/** The kinds in the order in which a round measures them. */
export const kinds = ['floor', 'sdk', 'leo'] as const;
export type Kind = (typeof kinds)[number];

/** Starts one server of a kind, with a driver on it. */
export function start(kind: Kind, stage: Stage, agent = 'bench'): McpClient {
  if (kind === 'leo') return stage.gateway(agent);
  const file = kind === 'floor' ? 'bare.cjs' : 'sdk.mjs';
  return startClient([join(root, 'bench', 'floors', file)], process.env);
}
