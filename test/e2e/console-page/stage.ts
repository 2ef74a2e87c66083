// The stage of the console's tests: one daemon, one browser, and what a page does wrong, written down.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import type { Test } from 'tap';
import { type RunningDaemon, root } from '../../support/daemon.js';
import { Gateway, type Message } from '../../support/gateway.js';
import { runLeo } from '../../support/run-leo.js';
import { until } from '../../support/wait.js';

/** Where the tests leave pictures of what they saw. */
const pictures = join(root, 'build', 'screenshots');

export interface Stage {
  /** The test of the whole file, which ends what is started for all parts. */
  readonly t: Test;
  /** Another one after the daemon was started anew. */
  daemon: RunningDaemon;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly faults: Faults;
  readonly streams: Streams;
  /** The tab that is looked at: another one after the first was closed. */
  page: Page;
  readonly rocket: Gateway;
  /** The environment of the daemon. */
  readonly env: NodeJS.ProcessEnv;
  /** The file with what the agent of the template `echo` was given; it is there once its prompt is. */
  readonly typed: string;
}

/** What a page must never do: say errors, fail, or ask another host. */
export class Faults {
  readonly seen: string[] = [];
  /** While the daemon is away, a browser says that it cannot be reached. */
  daemonIsAway = false;

  watch(context: BrowserContext, origin: string): void {
    context.on('page', (page) => {
      page.on('pageerror', (error) => this.seen.push(`threw ${error.stack ?? error.message}`));
    });
    context.on('console', (message) => {
      const isError = message.type() === 'error' || message.type() === 'warning';
      // A browser writes each refusal down, also one that the page expects and has words for.
      if (isError && !this.daemonIsAway && !message.text().includes('status of 409'))
        this.seen.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    context.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) this.seen.push(`asked ${url}`);
    });
  }
}

/** Counts the event streams that are open now, over all tabs. */
export class Streams {
  readonly #open = new Set<Request>();

  watch(context: BrowserContext): void {
    context.on('request', (request) => {
      if (request.url().includes('/api/v1/events')) this.#open.add(request);
    });
    const over = (request: Request) => this.#open.delete(request);
    context.on('requestfinished', over);
    context.on('requestfailed', over);
    // The requests of a tab end with it, and nobody tells.
    context.on('page', (page) => {
      page.on('close', () => {
        for (const request of this.#open) if (request.frame().page() === page) over(request);
      });
    });
  }

  get count(): number {
    return this.#open.size;
  }
}

/** A link that signs in, from `leo web`. */
export async function signInLink(t: Test, daemon: RunningDaemon): Promise<string> {
  const { code, stdout, stderr } = await runLeo(t, daemon.env, 'web', '--print');
  t.equal(code, 0, stderr);
  const link = /http:\/\/\S+#sign-in=[\w-]+/.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`leo web --print gave no link: ${stdout}${stderr}`);
  return link;
}

/** Opens the page in a new tab that is signed in. */
export async function signedIn(t: Test, daemon: RunningDaemon, context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await signInLink(t, daemon));
  await page.getByText('live').first().waitFor();
  return page;
}

/** Turns answering on, and waits until agents can ask. */
export async function answerHere(page: Page): Promise<void> {
  const toggle = page.getByRole('switch', { name: 'Answer agents here' });
  if ((await toggle.getAttribute('aria-checked')) !== 'true') await toggle.click();
  await page.getByText('Nobody asks').waitFor();
}

/** A real agent that can ask. */
export async function agentThatAsks(t: Test, daemon: RunningDaemon, name: string): Promise<Gateway> {
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--agent', name] });
  await gateway.initialize();
  await until('the agent has ask_human', async () => (await gateway.toolNames()).includes('ask_human'));
  return gateway;
}

/** Asks without waiting for the answer; `answer` waits for it. */
export function ask(gateway: Gateway, question: string, choices?: readonly string[]): () => Promise<Message> {
  const id = `ask ${question}`;
  const args = { question, ...(choices === undefined ? {} : { choices }) };
  gateway.send({ id, method: 'tools/call', params: { name: 'ask_human', arguments: args } });
  return async () => {
    const { result } = await gateway.response(id);
    return result as Message;
  };
}

/** The card of a question. */
export function cardOf(page: Page, question: string) {
  return page.getByRole('article').filter({ hasText: question });
}

/** Leaves a picture of a page. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
