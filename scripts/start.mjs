// `npm start`: everything from a fresh clone to an app's tool called by an agent, then the lines that wire a
// harness, and Leo stays up until Ctrl-C. `npm start -- --once` ends after the demonstration, with exit code 0
// if all of it worked, and leaves no process behind.

import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { daemonFor } from './start/daemon.mjs';
import { demonstrate } from './start/demonstration.mjs';
import { Processes } from './start/processes.mjs';
import { wiring } from './start/wiring.mjs';

const once = process.argv.includes('--once');
const unknown = process.argv.slice(2).find((word) => word !== '--once');
if (unknown !== undefined) {
  process.stderr.write(`npm start: unknown argument ${unknown}; there is --once\n`);
  process.exit(2);
}

const say = (who, what) => process.stdout.write(`${who.padEnd(8)}${what}\n`);
const processes = new Processes();
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve(signal));
});

async function start() {
  await prepare();
  const env = process.env;
  const { daemon, address, told } = await daemonFor(env, processes);
  const { home } = address.places;
  say('home', `${home} (${env.LEO_HOME ? 'from LEO_HOME' : 'the default; LEO_HOME names another'})`);
  say('daemon', told);
  const app = await demonstrate({ address, env, processes, say });
  const leo = join(root, 'bin', 'leo.js');
  const { harnessNames } = await import('../build/lib/setup/index.js');
  const { shellWord } = await import('../build/lib/config/shell-word.js');
  const lines = wiring({
    leo,
    home: env.LEO_HOME ? home : undefined,
    harnesses: harnessNames,
    quote: shellWord,
  });
  process.stdout.write(`\nWire your harness to Leo, once:\n\n${lines.join('\n')}\n\n`);
  if (once) return;
  const lost = [
    ...(daemon === undefined
      ? []
      : [daemon.ended.then((how) => `the daemon ended (${how})\n${daemon.said()}`)]),
    ...(app === undefined ? [] : [app.ended.then((how) => `the example app ended (${how})\n${app.said()}`)]),
  ];
  const stays =
    lost.length === 0
      ? 'Leo was up before and stays up; Ctrl-C ends this command.'
      : 'Leo stays up; Ctrl-C ends it.';
  process.stdout.write(`${stays} In another terminal: node bin/leo.js status\n`);
  const trouble = await Promise.race([interrupted.then(() => undefined), ...lost]);
  if (trouble !== undefined) throw new Error(trouble);
}

try {
  const demonstrated = start();
  demonstrated.catch(() => undefined);
  if ((await Promise.race([demonstrated, interrupted])) !== undefined && once) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await processes.end();
}
process.exit();
