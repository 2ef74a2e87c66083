// The console: what a browser loads for the first view, how long until a person sees what there is, and how long a click
// takes while a thousand events a second come. The last two need a browser, as the tests do.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openAgentLink } from '../../lib/cli/agent-link.js';
import { isObject } from '../../lib/wire/json.js';
import { noBrowser, openBrowser } from '../../test/support/browser.js';
import { http } from '../../test/support/http.js';
import { until } from '../../test/support/wait.js';
import { median, percentile } from '../numbers.js';
import { openProvider } from '../provider.js';
import { root } from '../root.js';
import type { Row } from '../row.js';
import { onStage, type Stage } from '../stage.js';
import { silentTool } from '../tools.js';

/** Each call is an event when it comes and one when it is cancelled. */
const eventsPerSecond = 1000;
const beatMs = 50;

export async function consoleRows(quick: boolean): Promise<readonly Row[]> {
  const size: Row = {
    id: 'console-size',
    what: 'first view, compressed',
    unit: 'KB',
    leo: firstView(join(root, 'dist', 'console')) / 1024,
    limit: { of: 'number', most: 60 },
  };
  if (noBrowser !== false)
    return [{ ...size, note: `the other rows of the console were SKIPPED: ${noBrowser}` }];
  const browser = await openBrowser();
  try {
    return await onStage(async (stage) => {
      await stage.startApp();
      const state = await signIn(browser, stage);
      const opened = await openings(browser, stage, state, quick ? 5 : 15);
      const clicks = await clicksInFlood(browser, stage, state, quick ? 2 : 5);
      return [
        size,
        {
          id: 'console-open',
          what: 'from opening to the live view, nothing cached',
          unit: 'ms',
          leo: median(opened),
          limit: { of: 'number', most: 1000 },
        },
        {
          id: 'console-flood',
          what: `click to drawn, at ${clicks.rate} events/s`,
          unit: 'ms',
          leo: percentile(clicks.took, 0.95),
          limit: { of: 'number', most: 200 },
          note: `95 of 100 clicks; the median took ${median(clicks.took).toFixed(0)} ms, without events ${median(clicks.idle).toFixed(0)} ms`,
        },
      ];
    });
  } finally {
    await browser.close();
  }
}

/** What is sent for the first view to a browser that takes Brotli, in bytes. */
function firstView(folder: string): number {
  return readdirSync(folder)
    .filter((name) => /\.(html|js|css)$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size)
    .reduce((sum, size) => sum + size, 0);
}

type SignedIn = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;

async function signIn(browser: Browser, { daemon }: Stage): Promise<SignedIn> {
  const { body } = await http(daemon.socket, '/api/v1/console/links', { method: 'POST' });
  const url = isObject(body.data) ? String(body.data.url) : '';
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await live(page);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Milliseconds until the daemon's data was on the screen, of each opening in a fresh context. */
async function openings(browser: Browser, stage: Stage, state: SignedIn, rounds: number) {
  const times: number[] = [];
  // The first one warms the browser and does not count.
  for (let round = 0; round <= rounds; round++) {
    const context = await browser.newContext({ storageState: state });
    const page = await context.newPage();
    await page.goto(stage.daemon.http);
    const at = await live(page);
    if (round > 0) times.push(at);
    await context.close();
  }
  return times;
}

/** When the page was first drawn with what the daemon says, in milliseconds since it was opened. */
async function live(page: Page): Promise<number> {
  // Asked from outside: the page's own policy lets nobody wait within it.
  return await until('the console is live', async () => {
    const at = await page.evaluate("performance.getEntriesByName('leo.live')[0]?.startTime");
    return typeof at === 'number' && at;
  });
}

/** In the page: clicks the button of the log, and gives the milliseconds until the frame after the change. */
const click = `new Promise((resolve) => {
  const button = document.querySelector('.log > button');
  const said = button.innerText;
  const start = performance.now();
  button.click();
  const look = () => button.innerText === said ? requestAnimationFrame(look) : resolve(performance.now() - start);
  requestAnimationFrame(look);
})`;

async function clicksInFlood(browser: Browser, { daemon }: Stage, state: SignedIn, seconds: number) {
  const provider = await openProvider(daemon.socket);
  await provider.register('silent', [silentTool('noise')]);
  const link = await openAgentLink(daemon.socket, 'noisy');
  const context = await browser.newContext({ storageState: state });
  const page = await context.newPage();
  await page.goto(daemon.http);
  await live(page);
  const clicks = async (until: () => boolean) => {
    const took: number[] = [];
    while (!until()) took.push(Number(await page.evaluate(click)));
    return took;
  };
  let left = 20;
  const idle = await clicks(() => left-- <= 0);

  let sent = 0;
  const started = performance.now();
  const flood = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * (eventsPerSecond / 2);
    for (; sent < due; sent++) {
      const cancel = new AbortController();
      link.call('noise', { text: `call ${sent}` }, { signal: cancel.signal }).catch(() => undefined);
      cancel.abort();
    }
  }, beatMs);
  const took = await clicks(() => performance.now() - started > seconds * 1000);
  clearInterval(flood);
  const rate = Math.round((2 * sent) / ((performance.now() - started) / 1000) / 10) * 10;
  await context.close();
  link.close();
  provider.close();
  return { idle, took, rate };
}
