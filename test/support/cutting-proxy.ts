// A unix socket in front of a daemon's, over which a test cuts connections: what was sent arrives, and what is
// answered is lost, as when a network breaks.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface CuttingProxy {
  readonly socket: string;
  /** Whether to lose the answer to a request, told by its first line; asked once a request. */
  loses: (request: string) => boolean;
  /** How many answers were lost. */
  readonly lost: () => number;
  /** Cuts every open stream of events. */
  cutStreams(): void;
}

/** Starts a proxy; it ends with its test. */
export async function cuttingProxy(t: Test, daemonSocket: string): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'leo-proxy-'));
  const socket = join(folder, 's.sock');
  const streams = new Set<Socket>();
  const all = new Set<Socket>();
  let lost = 0;
  const server = createServer((near) => {
    const far = dial(daemonSocket);
    /** Of each request that has not been answered, whether its answer is to be lost. */
    let unanswered: boolean[] = [];
    for (const end of [near, far]) {
      all.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        all.delete(end);
        streams.delete(near);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => {
      // Requests that were not waited for come several in a chunk.
      for (const [line] of chunk.toString('latin1').matchAll(/(?:GET|POST|DELETE) \S+(?= HTTP\/1\.1\r\n)/g)) {
        unanswered.push(proxy.loses(line));
        if (line.includes('/api/v1/events')) streams.add(near);
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      const starts = [...chunk.toString('latin1').matchAll(/HTTP\/1\.1 \d{3} /g)].map(({ index }) => index);
      const firstLost = unanswered.slice(0, starts.length).indexOf(true);
      if (firstLost < 0) {
        unanswered = unanswered.slice(starts.length);
        near.write(chunk);
        return;
      }
      lost += unanswered.length - firstLost;
      near.write(chunk.subarray(0, starts[firstLost]));
      near.destroy();
    });
  });
  const proxy: CuttingProxy = {
    socket,
    loses: () => false,
    lost: () => lost,
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
  };
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  t.teardown(() => {
    for (const end of all) end.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return proxy;
}
