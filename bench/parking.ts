// Parks calls that nobody claims, over a few links, as agents of their own.

import { openAgentLink } from '../lib/cli/agent-link.js';
import { until } from '../test/support/wait.js';
import { openProvider } from './provider.js';
import type { Stage } from './stage.js';
import { silentTool } from './tools.js';

/** How many calls are sent before the broker must have parked them: no burst swells its buffers. */
const burst = 250;
const agents = 4;

export interface Parking {
  /** Parks so many calls and waits until the broker has them all. */
  park(count: number): Promise<void>;
  /** Ends every parked call. */
  leave(): void;
}

/** Registers the tool and links the agents. */
export async function openParking(stage: Stage): Promise<Parking> {
  const { socket } = stage.daemon;
  const provider = await openProvider(socket);
  await provider.register('silent', [silentTool('park')]);
  const links = await Promise.all(
    Array.from({ length: agents }, (_, index) => openAgentLink(socket, `parker-${index}`)),
  );
  return {
    async park(count) {
      // Every provider is told of every call: those of other tools came before.
      const already = provider.seen();
      for (let sent = 0; sent < count; ) {
        for (let one = 0; one < burst && sent < count; one++, sent++) {
          // What ends them is the end of their link, which a parked call is no news to.
          links[sent % agents]?.call('park', { text: `call ${sent}` }).catch(() => undefined);
        }
        const due = already + sent;
        await until(`${sent} calls are parked`, () => provider.seen() >= due);
      }
    },
    leave() {
      for (const link of links) link.close();
      provider.close();
    },
  };
}
