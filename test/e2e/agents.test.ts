// Supervised agents as a user has them: a real daemon, a real tmux server of the test's own, shell scripts as agents.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { lookForEnded } from '../../lib/broker/tmux/reap.js';
import type { WireAgent } from '../../lib/wire/bodies/agents.js';
import { type RunningDaemon, startDaemon, temporaryHome } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { type Ran, runLeo, startLeo } from '../support/run-leo.js';
import { noTmux, type TestTmux, testTmux } from '../support/tmux.js';
import { isAlive, until } from '../support/wait.js';

const skip = noTmux;
// Each has a daemon and a tmux server of its own, and waits most of the time.
t.jobs = 3;

interface Stage {
  readonly daemon: RunningDaemon;
  readonly server: TestTmux;
  readonly home: string;
  readonly work: string;
  leo(...args: readonly string[]): Promise<Ran>;
}

async function stage(t: Test, templates: string): Promise<Stage> {
  const home = temporaryHome(t);
  const server = testTmux(t);
  const work = temporaryHome(t);
  const config = `templates:\n${templates.replaceAll('WORK', work)}`;
  const daemon = await startDaemon(t, { home, config, env: server.env });
  return { daemon, server, home, work, leo: (...args) => runLeo(t, daemon.env, ...args) };
}

async function agentsOf(at: RunningDaemon): Promise<readonly WireAgent[]> {
  const { body } = await http(at.socket, '/api/v1/agents');
  return (body as unknown as { readonly data: { readonly agents: readonly WireAgent[] } }).data.agents;
}

/** An agent in a state, after so many restarts at least: a wait of a second for the first is easily missed. */
async function inState(at: RunningDaemon, name: string, state: string, restarts = 0): Promise<WireAgent> {
  let seen: readonly WireAgent[] = [];
  return await until(
    () => `${name} is ${state}; there is ${JSON.stringify(seen)}, and the log is\n${at.log()}`,
    async () => {
      seen = await agentsOf(at);
      return seen.find(
        ({ name: one, supervised }) =>
          one === name && supervised?.state === state && supervised.restarts >= restarts,
      );
    },
  );
}

/** Of a process whose tmux has gone with its last session, the number stays until the machine's first process reaps it. */
async function processGone(agent: WireAgent | undefined): Promise<void> {
  const pid = agent === undefined ? 0 : pidOf(agent);
  if (pid === 0) throw new Error('the agent had no process');
  await until(`the process ${pid} is gone`, () => !isAlive(pid));
}

const pidOf = (agent: WireAgent) => agent.supervised?.tmux?.pid ?? 0;
const waits = '  fix: { harness: custom, command: "echo up; exec sleep 600", workspace: WORK }\n';

t.test('an agent is spawned, listed, read and stopped', { skip }, async (t) => {
  const { daemon, leo, home, work } = await stage(
    t,
    `  echo:
    harness: custom
    command: 'echo "I am $LEO_AGENT in $PWD with $ONE and $# words: $1"; echo "$LEO_PROMPT"; printenv CLAUDECODE; exec cat'
    workspace: WORK/made
    args: ["it's ; \`x\` $(y) #{pane_id} %1;"]
    env: { ONE: "1;2 'quoted'" }
`,
  );
  const watcher = await EventStream.open(t, { at: daemon.socket });
  const prompt = "-n 'Do' it;\n`now` $(please) ✓;";
  const spawned = await leo('agent', 'spawn', 'echo', '--prompt', prompt);
  t.equal(spawned.code, 0, spawned.stderr);
  t.match(spawned.stdout, `echo is started: custom in ${work}/made\n`);
  t.match(spawned.stdout, 'leo agent attach echo');
  t.match((await watcher.next('agent.started')).data, { name: 'echo', harness: null, mode: null });
  const said = await until('it has said all', async () => {
    const { stdout } = await leo('agent', 'logs', 'ECHO');
    return stdout.includes('please') && stdout;
  });
  t.match(said, 'I am echo in ', 'its name');
  t.match(said, `${work}/made with 1;2 'quoted' and 1 words: it's ; \`x\` $(y) #{pane_id} %1;\n`);
  t.match(said, "-n 'Do' it;\n`now` $(please) ✓;\n");
  t.equal((await leo('agent', 'logs', 'echo', '-n', '1')).stdout, '`now` $(please) ✓;\n');
  const listed = await leo('agent', 'list');
  t.match(listed.stdout, /^AGENT +KIND +STATE +HARNESS +TOOLS +SESSIONS +SINCE$/m);
  t.match(listed.stdout, /^echo +supervised +running +custom +- +0 +\d+ s$/m);
  const file = join(home, 'state', 'agents.json');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.notMatch(readFileSync(file, 'utf8'), 'please', 'no prompt on disk');
  t.strictSame(readdirSync(join(home, 'state', 'agents', 'echo')), [], 'nor in the script, once it has run');
  const [agent] = await agentsOf(daemon);
  const stopped = await leo('agent', 'stop', 'cho');
  t.equal(stopped.stdout, 'echo is stopped.\n', stopped.stderr);
  t.match((await watcher.next('agent.stopped')).data, { name: 'echo', harness: null });
  await processGone(agent);
  t.match((await leo('agent', 'list')).stdout, 'No agent is running. Start one: leo agent spawn TEMPLATE');
  t.match((await leo('agent', 'stop', 'echo')).stderr, /no agent "echo"; see them with: leo agent list/);
  t.equal((await leo('agent', 'logs', 'echo')).code, 1);
  t.equal((await leo('agent', 'attach', 'echo')).code, 2, 'attach wants a terminal');
});

t.test(
  'names: of the template, with numbers; a shorthand that means several is refused',
  { skip },
  async (t) => {
    const { daemon, leo } = await stage(t, waits);
    await LinkAgent.start(t, { socket: daemon.socket, agent: 'FIX-2' });
    const named = await Promise.all(
      [1, 2, 3].map(() => post(daemon.socket, '/api/agent/spawn', { template: 'fix' })),
    );
    t.strictSame(
      named.map(({ status }) => status),
      [200, 200, 200],
    );
    t.strictSame(
      (await agentsOf(daemon)).map(({ name, kind }) => `${name} ${kind}`),
      ['FIX-2 attached', 'fix supervised', 'fix-3 supervised', 'fix-4 supervised'],
      'at once, and beside one that others have started',
    );
    t.match((await leo('agent', 'spawn', 'fix', '--name', 'Fix-3')).stderr, /an agent Fix-3 is running/);
    t.equal((await leo('agent', 'spawn', 'fix', '--name', 'my-fix-3')).code, 0);
    t.match((await leo('agent', 'stop', '3')).stderr, /"3" may mean fix-3, my-fix-3: name the one/);
    t.match((await leo('agent', 'stop', 'fix-2')).stderr, /FIX-2 runs in a window that Leo did not start/);
    t.match((await leo('agent', 'spawn', 'fxi')).stderr, /no template "fxi" in leo.yaml; it has fix/);
    t.match((await leo('agent', 'spawn', 'fix', '--cwd', '/no/such')).stderr, /\/no\/such is not a folder/);
    t.match((await leo('agent', 'spawn', 'fix', '--name', 'a b')).stderr, /at \$\.name/);
    const over = await http(daemon.socket, '/api/v1/agents/fix-4', { method: 'DELETE' });
    t.strictSame(over.body, { ok: true, data: { name: 'fix-4' } });
  },
);

t.test('an agent is one, pane and gateway together', { skip }, async (t) => {
  const { daemon, leo } = await stage(t, waits);
  await leo('agent', 'spawn', 'fix');
  const watcher = await EventStream.open(t, { at: daemon.socket });
  const gateway = await LinkAgent.start(t, { socket: daemon.socket, agent: 'fix' });
  t.match(await agentsOf(daemon), [
    { name: 'fix', kind: 'supervised', harness: { name: 'test-harness' }, mode: 'native', sessions: 1 },
  ]);
  await gateway.bye();
  await until('its gateway is gone', async () => (await agentsOf(daemon))[0]?.sessions === 0);
  await leo('agent', 'stop', 'fix');
  await watcher.next('agent.stopped');
  t.strictSame(
    watcher.events.map(({ event }) => event).filter((event) => event.startsWith('agent.')),
    ['agent.stopped'],
    'it was running all the time',
  );
});

t.test(
  'a new daemon finds the living again, tells of the dead, and starts none twice',
  { skip },
  async (t) => {
    const { daemon, home, server, work, leo } = await stage(
      t,
      `${waits}  once: { harness: custom, command: "until [ -e WORK/go ]; do sleep 0.05; done; exit 3", workspace: WORK }\n`,
    );
    for (const template of ['fix', 'once', 'fix']) t.equal((await leo('agent', 'spawn', template)).code, 0);
    const before = await agentsOf(daemon);
    await until('fix-2 is up', async () =>
      (await server.tmux(['capture-pane', '-p', '-t', '=fix-2:'])).includes('up'),
    );
    await daemon.end();
    writeFileSync(join(work, 'go'), '');
    const closed = before.find(({ name }) => name === 'fix-2');
    await server.tmux(['kill-session', '-t', '=fix-2']);
    const pid = pidOf(closed as WireAgent);
    const serverPid = Number(await server.tmux(['display-message', '-p', '#{pid}']));
    await until(
      () => `it has ended: ${execFileSync('ps', ['-axo', 'pid,ppid,stat,args'], { encoding: 'utf8' })}`,
      () => {
        // No daemon runs that would.
        lookForEnded(serverPid);
        return !isAlive(pid);
      },
    );
    await until('the other has exited', async () =>
      (await server.tmux(['list-panes', '-a', '-F', '#{session_name} #{pane_dead}'])).includes('once 1'),
    );
    const second = await startDaemon(t, { home, env: server.env });
    const after = await agentsOf(second);
    t.match(after, [
      { name: 'fix', supervised: { state: 'running' } },
      { name: 'fix-2', supervised: { state: 'lost', detail: 'its pane was closed', tmux: null } },
      { name: 'once', supervised: { state: 'exited', detail: 'ended with code 3' } },
    ]);
    t.equal(pidOf(after[0] as WireAgent), pidOf(before[0] as WireAgent), 'the same process');
    t.match(second.log(), /agent once: ended with code 3/);
    const list = await leo('agent', 'list');
    t.match(list.stdout, /^fix-2: its pane was closed; start it again: leo agent spawn fix --name fix-2$/m);
    t.match(list.stdout, /^once: ended with code 3; its last words: leo agent logs once$/m);
    // The one that runs is killed hard, and its agents are still found.
    await second.end('SIGKILL');
    const third = await startDaemon(t, { home, env: server.env });
    t.equal(pidOf((await agentsOf(third))[0] as WireAgent), pidOf(before[0] as WireAgent));
    t.match(
      (await leo('agent', 'spawn', 'once')).stdout,
      'once is started',
      'what has ended gives its name back',
    );
    t.match((await leo('agent', 'spawn', 'fix')).stdout, 'fix-2 is started');
    t.equal((await server.tmux(['list-sessions', '-F', '#{session_name}'])).trim().split('\n').length, 3);
  },
);

t.test('the tmux server goes: agents are lost, and the list says so', { skip }, async (t) => {
  const { daemon, home, server, leo } = await stage(t, waits);
  await leo('agent', 'spawn', 'fix');
  const watcher = await EventStream.open(t, { at: daemon.socket });
  server.kill();
  await watcher.next('agent.stopped');
  const list = await leo('agent', 'list');
  t.match(list.stdout, /^fix +supervised +lost +custom/m);
  t.match(list.stdout, /^fix: the tmux server is gone; start it again: leo agent spawn fix --name fix$/m);
  t.match((await leo('agent', 'logs', 'fix')).stderr, /the agent fix has no screen: the tmux server is gone/);
  t.match((await leo('agent', 'spawn', 'fix')).stdout, 'fix is started', 'on a new server');
  server.kill();
  await daemon.end();
  const second = await startDaemon(t, { home, env: server.env });
  t.match(await agentsOf(second), [{ name: 'fix', supervised: { state: 'lost' } }]);
  t.equal((await leo('agent', 'stop', 'fix')).code, 0);
  t.strictSame(await agentsOf(second), []);
});

t.test('what fails is started again, later each time, and what ends well is not', { skip }, async (t) => {
  const { daemon, leo, home, server, work } = await stage(
    t,
    `  flaky:
    harness: custom
    command: 'echo "$LEO_PROMPT." >> runs; [ $(wc -l < runs) -lt 3 ] && exit 7; exec sleep 600'
    workspace: WORK
    restart: on-failure
  broken: { harness: custom, command: "exit 4", workspace: WORK }
  failing: { harness: custom, command: "exit 5", workspace: WORK, restart: on-failure }
`,
  );
  const watcher = await EventStream.open(t, { at: daemon.socket });
  t.equal((await leo('agent', 'spawn', 'flaky', '--prompt', 'Go')).code, 0);
  await leo('agent', 'spawn', 'failing');
  const up = await inState(daemon, 'flaky', 'running', 2);
  t.ok(isAlive(pidOf(up)));
  t.equal(readFileSync(join(work, 'runs'), 'utf8'), 'Go.\n.\n.\n', 'the prompt was given once');
  t.match(
    daemon.log(),
    /flaky: ended with code 7; started again in 1 s\n(?:.*\n)*?.*flaky: ended with code 7; started again in 2 s\n/,
  );
  const starts = watcher.events.filter(
    ({ event, data }) => event === 'agent.started' && data.name === 'flaky',
  );
  t.equal(starts.length, 3);
  await leo('agent', 'spawn', 'broken');
  t.equal((await inState(daemon, 'broken', 'exited')).supervised?.detail, 'ended with code 4');
  process.kill(pidOf(up), 'SIGKILL');
  // The third failure in a row: 4 s.
  const waiting = await inState(daemon, 'flaky', 'restarting', 2);
  t.match(waiting.supervised?.detail, /^ended/);
  t.type(waiting.supervised?.restart_at, 'string');
  t.equal((await leo('agent', 'stop', 'flaky')).code, 0, 'one that waits can be stopped');
  t.notOk(
    (await agentsOf(daemon)).some(({ name }) => name === 'flaky'),
    'and is gone',
  );
  const again = await leo('agent', 'spawn', 'flaky');
  t.match(again.stdout, 'flaky is started', `its name is free: ${again.stderr}`);
  // The fourth in a row: 8 s.
  t.equal((await inState(daemon, 'failing', 'restarting', 3)).supervised?.detail, 'ended with code 5');
  t.match((await leo('agent', 'list')).stdout, /^failing: ended with code 5; started again in \d s$/m);
  t.equal((await leo('agent', 'logs', 'failing')).code, 0, 'one that waits still has its screen');
  await daemon.end();
  const second = await startDaemon(t, { home, env: server.env });
  await inState(second, 'failing', 'restarting', 4);
  t.match(second.log(), /agent failing: ended with code 5; started again in 16 s/, 'the next daemon goes on');
});

t.test('of each end it is known with which code, also where tmux misses it', { skip }, async (t) => {
  const { daemon } = await stage(t, '  broken: { harness: custom, command: "exit 4", workspace: WORK }\n');
  // One after another: the end of one has tmux find those that it has missed before. It misses one in eight.
  for (let left = 12; left > 0; left--) {
    await post(daemon.socket, '/api/v1/agents', { template: 'broken', name: 'broken' });
    t.equal((await inState(daemon, 'broken', 'exited')).supervised?.detail, 'ended with code 4');
  }
});

t.test('a process that turns away from its terminal is killed all the same', { skip }, async (t) => {
  const { daemon, leo, work } = await stage(
    t,
    `  deaf: { harness: custom, command: "trap '' HUP TERM; : > deaf; while :; do sleep 0.1; done", workspace: WORK }\n`,
  );
  await leo('agent', 'spawn', 'deaf');
  await until('it is deaf', () => existsSync(join(work, 'deaf')));
  const [agent] = await agentsOf(daemon);
  t.equal((await leo('agent', 'stop', 'deaf')).code, 0);
  await processGone(agent);
});

t.test('logs follow until the agent ends', { skip }, async (t) => {
  const { leo, daemon, work } = await stage(
    t,
    `  talk:
    harness: custom
    command: 'seq 1 80; until [ -e go ]; do sleep 0.05; done; seq 81 160; printf last; exit 0'
    workspace: WORK
`,
  );
  await leo('agent', 'spawn', 'talk');
  const following = startLeo(t, daemon.env, 'agent', 'logs', 'talk', '--follow', '-n', '3');
  await until('it shows what was there', () => following.stdout().includes('80'));
  writeFileSync(join(work, 'go'), '');
  const { stdout, code } = await following.ended;
  t.equal(code, 0);
  const numbers = stdout.split('\n').filter((line) => /^\d+$/.test(line));
  t.strictSame(
    numbers.slice(-80),
    Array.from({ length: 80 }, (_, at) => String(at + 81)),
    'each line once, in order',
  );
  t.equal(new Set(numbers).size, numbers.length);
  t.match(stdout, /^last/m);
  t.equal(
    (await leo('agent', 'logs', 'talk', '-n', '2')).stdout,
    '160\nlast\n',
    'nothing below its last words',
  );
  t.equal((await leo('agent', 'logs', 'talk', '-n', 'x')).code, 2);
});

t.test('what is not there is said, and nothing is left behind', { skip }, async (t) => {
  const { daemon, leo, home, server } = await stage(
    t,
    `  none: { harness: custom, command: [no-such-program-of-leo], workspace: WORK }
  homeless: { harness: custom, command: "true" }
  relative: { harness: custom, command: "true", workspace: here }
  bad: { harness: opencode, env: { OPENCODE_CONFIG_CONTENT: "{" , PATH: /nowhere }, workspace: WORK }
`,
  );
  t.match(
    (await leo('agent', 'spawn', 'none')).stderr,
    /there is no no-such-program-of-leo on the PATH of the daemon/,
  );
  t.match((await leo('agent', 'spawn', 'homeless')).stderr, /say where the agent is to work: --cwd DIR/);
  t.match((await leo('agent', 'spawn', 'relative')).stderr, /workspace here must start with/);
  t.match((await leo('agent', 'spawn', 'bad')).stderr, /OPENCODE_CONFIG_CONTENT holds no JSON object/);
  await server.tmux(['new-session', '-d', '-s', 'homeless', 'cat']);
  const foreign = await leo('agent', 'spawn', 'homeless', '--cwd', home);
  t.match(foreign.stderr, /tmux server has a session homeless already/);
  t.strictSame(await agentsOf(daemon), []);
  const agent = {
    authorization: `Bearer ${readFileSync(join(home, 'state', 'agent.token'), 'utf8').trim()}`,
  };
  t.equal(
    (await post(daemon.http, '/api/v1/agents', { template: 'homeless' }, agent)).status,
    400,
    'agents may spawn',
  );
  await daemon.end();
  rmSync(join(home, 'state', 'agents.json'), { force: true });
  writeFileSync(join(home, 'state', 'agents.json'), '{"format":1,"agents":[{"name":5}]}');
  const second = await startDaemon(t, { home, env: { ...server.env, PATH: home } });
  t.match(second.log(), /agents\.json cannot be used \(agents\[0\] is not one of this Leo's\)/);
  t.equal(existsSync(join(home, 'state', 'agents.json.broken')), true);
  const without = await post(second.socket, '/api/v1/agents', { template: 'homeless', cwd: home });
  t.equal(without.status, 503);
  t.match(without.body, { code: 'unavailable', error: /tmux is not installed/ });
});

t.test('deny_tools of a template holds for its agents, from the first moment', { skip }, async (t) => {
  const { daemon, leo } = await stage(t, `${waits.replace(' }\n', ', deny_tools: ["secret_*"] }\n')}`);
  await leo('agent', 'spawn', 'fix');
  for (const [agent, denied, code] of [
    ['fix', ['secret_*'], 'denied'],
    ['FIX', ['secret_*'], 'denied'],
    ['other', [], 'no_client'],
  ] as const) {
    const link = await LinkAgent.start(t, { socket: daemon.socket, agent });
    const hello = link.messages.find((message) => 'result' in message);
    t.match(hello, { result: { denied } }, agent);
    link.park(`r_secret_${agent}`, 'secret_plan');
    t.match(await link.response(`r_secret_${agent}`), { error: { data: { code } } }, `${agent} calls it`);
  }
});
