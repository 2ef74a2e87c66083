// The console in a real browser, against a real daemon and real gateways. One of each for the whole file: a browser is
// the dearest thing that any test here starts.

import { join } from 'node:path';
import t from 'tap';
import { noBrowser, openBrowser } from '../../support/browser.js';
import { root, startDaemon, temporaryHome } from '../../support/daemon.js';
import { testTmux } from '../../support/tmux.js';
import { away } from './away.js';
import { looks } from './looks.js';
import { questions } from './questions.js';
import { signingIn, signingOut } from './sign-in.js';
import { agentThatAsks, answerHere, Faults, type Stage, Streams } from './stage.js';
import { tabs } from './tabs.js';
import { work } from './work.js';

// A browser and a dozen processes beside other tests, on two cores.
t.setTimeout(240_000);

if (noBrowser !== false) process.stderr.write(`SKIPPED: the tests of the console; ${noBrowser}\n`);

t.test('the console', { skip: noBrowser }, async (t) => {
  const { env } = testTmux(t);
  const folder = temporaryHome(t);
  const typed = join(folder, 'typed');
  const program = join(root, 'build', 'test', 'support', 'line-echo.js');
  const command = JSON.stringify([process.execPath, program, typed]);
  const config = `templates:\n  echo: { harness: custom, workspace: ${folder}, command: ${command} }\n`;
  const daemon = await startDaemon(t, { config, env });
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1180, height: 800 } });
  const faults = new Faults();
  const streams = new Streams();
  faults.watch(context, new URL(daemon.http).origin);
  streams.watch(context);
  const page = await context.newPage();
  const signedOut = { t, browser, context, daemon, env, faults, page, streams, typed };
  await signingIn(t, signedOut);
  await answerHere(page);
  const rocket = await agentThatAsks(t, daemon, 'rocket');
  const stage: Stage = { ...signedOut, rocket };
  for (const part of [questions, tabs, work, looks, away, signingOut]) await part(t, stage);
  t.same(faults.seen, [], 'no error, and no request to another host');
});
