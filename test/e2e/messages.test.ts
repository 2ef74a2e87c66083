// Messages as agents, programs and people send them: a real daemon, a real tmux server of the test's own, and a small
// program as the agent, which records every byte that it is given.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { leo, type RunningDaemon, root, startDaemon, temporaryHome } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { Gateway } from '../support/gateway.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { runLeo } from '../support/run-leo.js';
import { scopedToken } from '../support/scoped-token.js';
import { noTmux, type TestTmux, testTmux } from '../support/tmux.js';
import { until } from '../support/wait.js';

const skip = noTmux;
// Each has a daemon and a tmux server of its own, and waits most of the time: a prompt must have stood still.
t.jobs = 3;
const program = join(root, 'build', 'test', 'support', 'line-echo.js');
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~\r`;

interface Stage {
  readonly daemon: RunningDaemon;
  readonly server: TestTmux;
  /** What an agent was given. */
  bytes(name: string): string;
  message(name: string, body: object): ReturnType<typeof http>;
}

/** A daemon with these agents; each is what its name starts with. */
async function stage(t: Test, ...agents: readonly string[]): Promise<Stage> {
  const server = testTmux(t);
  const work = temporaryHome(t);
  const command = (...words: readonly string[]) => JSON.stringify([process.execPath, program, ...words]);
  const templates = agents.map((name) => {
    const [kind = ''] = name.split('-');
    return `  ${name}: { harness: custom, workspace: ${work}, command: ${command(join(work, name), kind)} }\n`;
  });
  const daemon = await startDaemon(t, {
    config: `api_clients: { docker-scout: { can_message: [rocket] } }\ntemplates:\n${templates.join('')}`,
    env: server.env,
  });
  for (const name of agents) {
    const { status, body } = await post(daemon.socket, '/api/v1/agents', { template: name });
    t.equal(status, 200, JSON.stringify(body));
    await until(`${name} is there`, () => existsSync(join(work, name)));
  }
  return {
    daemon,
    server,
    bytes: (name) => readFileSync(join(work, name), 'utf8'),
    message: (name, body) => post(daemon.socket, `/web/agent/${name}/message`, body),
  };
}

t.test('the operator, an agent, a person at the shell and a client reach an agent', { skip }, async (t) => {
  const { daemon, bytes, message } = await stage(t, 'rocket');
  const watcher = await EventStream.open(t, { at: daemon.socket });
  const answer = await message('rocket', { text: 'How is\nthe build?;' });
  t.match(answer, { status: 200, body: { ok: true, data: { agent: 'rocket', submitted: true } } });
  const event = await watcher.next('agent.message');
  t.match(event.data, { name: 'rocket', from: 'operator', submitted: true });
  t.equal(event.data.id, (answer.body.data as { id: string }).id);
  t.notMatch(JSON.stringify(event.data), /build/);

  const token = readFileSync(join(daemon.home, 'state', 'agent.token'), 'utf8').trim();
  const authorization = `Bearer ${token}`;
  const path = '/web/agent/rocket/message';
  const asAgent = await http(daemon.http, path, {
    method: 'POST',
    headers: { authorization },
    body: { text: 'two', from: 'scout' },
  });
  t.equal(asAgent.status, 200);

  const typed = await runLeo(t, daemon.env, 'agent', 'message', 'ROCK', '--', '-t %1');
  t.equal(typed.code, 1, 'a start of a name is not its end');
  t.match(typed.stderr, /no agent "ROCK"/);
  const ran = await runLeo(t, daemon.env, 'agent', 'message', 'KET', '--', '-t %1');
  t.strictSame([ran.code, ran.stdout], [0, 'rocket has the message\n'], ran.stderr);
  const piped = spawnSync(process.execPath, [leo, 'agent', 'message', 'rocket', '-', '--json'], {
    env: daemon.env,
    input: 'from\na file\n',
    encoding: 'utf8',
  });
  t.match(JSON.parse(piped.stdout), { agent: 'rocket', submitted: true });
  const scout = scopedToken(placesOf(daemon.env).clients, 'docker-scout');
  await post(daemon.socket, '/api/v1/reload', {});
  const mail = { text: 'three', from: 'docker-scout#ses_42' };
  const asClient = await post(daemon.http, path, mail, { authorization: `Bearer ${scout}` });
  t.match(asClient, { status: 200, body: { ok: true, data: { agent: 'rocket', submitted: true } } });
  const texts = [
    'operator] How is\nthe build?;',
    'scout] two',
    'operator] -t %1',
    'operator] from\na file',
    'docker-scout#ses_42] three',
  ];
  t.equal(bytes('rocket'), texts.map((text) => pasted(`[message from ${text}`)).join(''));
});

t.test('an agent messages another by its tool, in its own name', { skip }, async (t) => {
  const { daemon, bytes } = await stage(t, 'rocket');
  const gateway = Gateway.start(t, { home: daemon.home, args: ['--agent', 'scout'] });
  await gateway.initialize();
  const text = async (args: object) => {
    const { content } = (await gateway.call('leo_send_message', args)) as { content: [{ text: string }] };
    return content[0].text;
  };
  t.equal(await text({ to: 'rocket', text: 'hello', from: 'operator' }), 'rocket has the message');
  t.equal(bytes('rocket'), pasted('[message from scout] hello'));
  t.match(await text({ to: 'nobody', text: 'hello' }), /^not_found: no agent "nobody"/);
  t.match(await text({ to: 'scout', text: 'hello' }), /^not_deliverable: you are scout yourself/);
  await LinkAgent.start(t, { socket: daemon.socket, agent: 'outsider' });
  t.match(
    await text({ to: 'outsider', text: 'hello' }),
    /^not_deliverable: .*leo agent spawn TEMPLATE --name outsider/,
  );
  t.match(await text({ to: 'rocket', text: 'x'.repeat(256 * 1024 + 1) }), /^too_large: /);
  t.match(await text({ to: 'rocket' }), /^invalid_arguments: at \$\.text/);
});

t.test('a message of a session is from its agent, whatever it says', { skip }, async (t) => {
  const { daemon, bytes } = await stage(t, 'rocket');
  const agent = await LinkAgent.start(t, { socket: daemon.socket, agent: 'scout' });
  const sent = await agent.request('message/send', { to: 'rocket', text: 'hello', from: 'operator' });
  t.match(sent, { result: { agent: 'rocket', submitted: true } });
  t.equal(bytes('rocket'), pasted('[message from scout] hello'));
});

t.test('text over 256 KiB is too large, and what holds nothing is invalid', { skip }, async (t) => {
  const { bytes, message } = await stage(t, 'rocket');
  t.equal((await message('rocket', { text: 'x'.repeat(256 * 1024) })).status, 200);
  const { length } = bytes('rocket');
  t.match(await message('rocket', { text: 'x'.repeat(256 * 1024 + 1) }), {
    status: 413,
    body: { code: 'too_large' },
  });
  t.match(await message('rocket', { text: '\u001b\u0000' }), {
    status: 400,
    body: { code: 'invalid_request' },
  });
  t.equal(bytes('rocket').length, length);
});

t.test('a permission dialog is left alone: 409, nothing typed, still there', { skip }, async (t) => {
  const { bytes, message, server } = await stage(t, 'dialog');
  const screen = async () => await server.tmux(['capture-pane', '-p', '-t', '=dialog:']);
  const before = await until('the dialog is there', async () => {
    const shown = await screen();
    return shown.includes('Esc to cancel') && shown;
  });
  const answer = await message('dialog', { text: '1' });
  t.match(answer, {
    status: 409,
    body: { code: 'not_deliverable', error: /shows a permission dialog; nothing was typed/ },
  });
  t.equal(await screen(), before);
  t.equal(bytes('dialog'), '');
});

t.test('a program that has exited to a shell is left alone: 409, nothing typed', { skip }, async (t) => {
  const server = testTmux(t);
  const work = temporaryHome(t);
  // The shell asks for a line, as at a prompt, and would keep what it is given.
  const line = "printf '> '; read line; echo $line > typed; sleep 600";
  const command = JSON.stringify(['sh', '-c', line]);
  const daemon = await startDaemon(t, {
    config: `templates:\n  rocket: { harness: custom, workspace: ${work}, command: ${command} }\n`,
    env: server.env,
  });
  t.equal((await post(daemon.socket, '/api/v1/agents', { template: 'rocket' })).status, 200);
  const screen = async () => await server.tmux(['capture-pane', '-p', '-t', '=rocket:']);
  const before = await until('it asks', async () => {
    const shown = await screen();
    return shown.startsWith('>') && shown;
  });
  t.match(await post(daemon.socket, '/web/agent/rocket/message', { text: 'rm -rf /' }), {
    status: 409,
    body: { code: 'not_deliverable', error: /has exited to a shell \(.*sh\); nothing was typed/ },
  });
  t.equal(await screen(), before);
  t.notOk(existsSync(join(work, 'typed')));
});

t.test('when fix has ended, a message to fix never reaches fix-2', { skip }, async (t) => {
  const { daemon, bytes, message, server } = await stage(t, 'fix', 'fix-2');
  const pid = Number(await server.tmux(['display-message', '-p', '-t', '=fix:', '#{pane_pid}']));
  process.kill(pid, 'SIGKILL');
  t.match(await message('fix', { text: 'at once' }), { status: 409, body: { code: 'not_deliverable' } });
  await until('the daemon knows', async () => {
    const { error } = (await message('fix', { text: 'later' })).body;
    return /fix does not run \(exited/.test(String(error));
  });
  await http(daemon.socket, '/api/v1/agents/fix', { method: 'DELETE' });
  t.match(await message('fix', { text: 'forgotten' }), { status: 404, body: { code: 'not_found' } });
  t.equal(bytes('fix-2'), '');
});

t.test('a tmux server that is gone is 409, and the list says so', { skip }, async (t) => {
  const { daemon, message, server } = await stage(t, 'rocket');
  server.kill();
  const answer = await message('rocket', { text: 'hello' });
  t.match(answer, { status: 409, body: { code: 'not_deliverable' } });
  await until('it is listed so', async () => {
    const { stdout } = await runLeo(t, daemon.env, 'agent', 'list');
    return /rocket .*(lost|exited)/.test(stdout);
  });
  t.match(await message('rocket', { text: 'hello' }), {
    status: 409,
    body: { error: /rocket does not run/ },
  });
});

t.test("an agent in a window of its user's own is 409, and how it could be reached is said", async (t) => {
  const daemon = await startDaemon(t);
  await LinkAgent.start(t, { socket: daemon.socket, agent: 'outsider' });
  const answer = await post(daemon.socket, '/web/agent/outsider/message', { text: 'hello' });
  t.match(answer, {
    status: 409,
    body: { code: 'not_deliverable', error: /leo agent spawn TEMPLATE --name outsider/ },
  });
});
