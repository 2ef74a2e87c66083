// The processes that `npm start` starts. Each is ended with it, the last started first.

import { spawn } from 'node:child_process';

export class Processes {
  #running = [];

  /**
   * Starts Node on a script.
   *
   * @returns the child, with `said()`, what it has written to stderr so far, and `ended`, its end in words.
   */
  start(args, env) {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part) => {
      text = (text + part).slice(-4000);
    });
    const ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
    });
    const one = {
      child,
      said: () => text.trim(),
      ended,
      running: () => child.exitCode === null && child.signalCode === null,
    };
    this.#running.push(one);
    return one;
  }

  /** Ends them all and waits until they are gone; one that does not listen is killed after 5 s. */
  async end() {
    for (const { child, ended, running } of this.#running.splice(0).reverse()) {
      if (!running()) continue;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
    }
  }
}

/** Waits until a check gives a value; fails when the time is over or the process has ended. */
export async function until(what, process_, check, timeoutMs = 15_000) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (process_ !== undefined && !process_.running()) {
      throw new Error(`${what}: it ended with ${await process_.ended}\n${process_.said()}`);
    }
    if (Date.now() > end)
      throw new Error(`${what}: waited ${timeoutMs / 1000} s in vain\n${process_?.said() ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
