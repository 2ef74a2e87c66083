// A tool of a catalogue, where a test cares about little of it.

import { clientId } from '../../lib/wire/ids.js';
import type { CatalogueTool } from '../../lib/wire/tool.js';

export function catalogueTool(name: string, more: Partial<CatalogueTool> = {}): CatalogueTool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    timeoutS: 120,
    group: 'demo',
    provider: clientId('c_demo0001'),
    keyed: true,
    ...more,
  };
}
