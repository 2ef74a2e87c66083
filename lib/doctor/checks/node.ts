// Whether this Node is new enough.

import type { Facts } from '../facts.js';
import { fail, type Line, pass } from '../line.js';

/** The oldest that Leo runs on. */
const oldest = 20;

export function checkNode({ node }: Pick<Facts, 'node'>): readonly Line[] {
  if (Number.parseInt(node, 10) >= oldest) return [pass('node', `Node ${node}`)];
  return [fail('node', `Node ${node} is too old: Leo needs ${oldest} or later`, 'npm install -g n && n lts')];
}
