// The tools that the bench's own provider registers, as the wire takes them.

import type { JsonObject } from '../lib/wire/json.js';

/** A tool that nobody answers, and that waits without limit. */
export function silentTool(name: string): JsonObject {
  return {
    name,
    description: 'Never answers.',
    input_schema: { type: 'object', properties: { text: { type: 'string' } } },
    timeout_s: 0,
  };
}
