// An app for the tests of those who use apps: by the library, in the test's own process, ended with the test.

import type { Test } from 'tap';
import { type AppConnection, connect, type ToolOffer } from '../../lib/app/index.js';

/** Connects and offers one group of tools. */
export async function startApp(
  t: Test,
  socket: string,
  group: string,
  tools: readonly ToolOffer[],
): Promise<AppConnection> {
  const app = await connect({ socket });
  t.teardown(() => app.close());
  await app.offer(group, tools);
  return app;
}
