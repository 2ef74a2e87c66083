// An agent outside talks to exactly one agent inside (docs/external-agents.md), with the real opencode in a place of
// its own, a real Claude Code that Leo supervises, and a scripted model for each. The reply lands in the session that
// asked, while another, newer one exists and is the one in use.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { type Conversation, startConversation, type Turn } from '../../lib/probe/conversation.js';
import { harnessPath, programOf } from '../../lib/probe/find.js';
import type { RunPlace } from '../../lib/probe/harnesses/driver.js';
import { drivers } from '../../lib/probe/harnesses/drivers.js';
import { baseEnvironment } from '../../lib/probe/harnesses/environment.js';
import { killLeftBehind } from '../../lib/probe/harnesses/left-behind.js';
import { startModel } from '../../lib/probe/model/model-server.js';
import { startTrace, traceLine } from '../../lib/probe/trace.js';
import { isObject } from '../../lib/wire/json.js';
import { type Route, routes } from '../../lib/wire/routes.js';
import { leo, root, startDaemon } from '../support/daemon.js';
import { post } from '../support/http.js';
import { noTmux, testTmux } from '../support/tmux.js';
import { until } from '../support/wait.js';
import { makeContainer } from './support/container.js';
import { notInstalled } from './support/real-harness.js';

t.setTimeout(380_000);
const patienceMs = 90_000;
const path = harnessPath(process.env.PATH ?? '', join(root, 'test', 'harness'));
const material = join(root, 'test', 'e2e', 'opencode');
const skip = noTmux || notInstalled('opencode') || notInstalled('claude-code');

t.test('a message goes out by the plugin, and the reply into the session that asked', { skip }, async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-external-')));
  const container = makeContainer('docker-scout');
  t.comment(container.apart ? 'in a network namespace' : 'namespaces are refused here: on loopback');
  const scoutPort = await freePort('127.0.0.1');
  const [scout, rocket] = [scripted('scout'), scripted('rocket')];
  const scoutModel = await startModel(scout.conversation.script, container.hostAddress);
  const rocketModel = await startModel(rocket.conversation.script);
  const scoutUrl = `http://${container.address}:${scoutPort}`;

  // rocket, inside: Claude Code with the skill.
  const inside = place(join(folder, 'rocket'), rocketModel.port);
  const skill = join(inside.project, '.claude', 'skills', 'reply-to-scout');
  cpSync(join(material, 'reply-to-scout'), skill, { recursive: true });
  write(join(inside.home, '.claude.json'), {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['x'], rejected: [] },
    projects: { [inside.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });
  const { TERM: _, ...insideBase } = baseEnvironment(inside.home, path);
  const template = {
    harness: 'claude-code',
    workspace: inside.project,
    args: ['--allowedTools', 'Bash(node:*)'],
    env: {
      ...insideBase,
      ...drivers['claude-code'].env(inside),
      SCOUT_URL: scoutUrl,
      TMPDIR: tmpdir(),
    },
  };
  const server = testTmux(t);
  const daemon = await startDaemon(t, {
    config: JSON.stringify({
      web: { bind: container.hostAddress, allowed_hosts: [container.hostAddress] },
      templates: {
        rocket: template,
        other: { harness: 'custom', command: ['cat'], workspace: inside.project },
      },
    }),
    env: server.env,
  });
  const token = run('client', 'add', 'docker-scout', '--can-message', 'rocket').match(/[0-9a-f]{64}/)?.[0];
  for (const name of ['rocket', 'other']) {
    const spawned = await post(daemon.socket, '/api/v1/agents', { template: name, name });
    t.equal(spawned.status, 200, JSON.stringify(spawned.body));
  }

  // docker-scout, outside: opencode with the plugin.
  const outside = place(join(folder, 'scout'), scoutModel.port);
  const url = `http://${container.hostAddress}:${new URL(daemon.http).port}`;
  for (const [name, text] of Object.entries(drivers.opencode.files(outside))) {
    const file = join(outside.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('127.0.0.1', container.hostAddress));
  }
  mkdirSync(join(outside.home, '.config/opencode/plugin'), { recursive: true });
  cpSync(join(material, 'leo-plugin.js'), join(outside.home, '.config/opencode/plugin/leo-plugin.js'));
  // opencode fetches its plugin library first, which there is no way to from here; it has to fail at once.
  writeFileSync(join(outside.home, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n');
  const tokenFile = join(outside.home, 'leo.token');
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  const [program, args] = container.command(programOf('opencode', path) ?? 'opencode', [
    'serve',
    ...['--hostname', container.address, '--port', String(scoutPort)],
  ]);
  const opencode = spawn(program, args, {
    cwd: outside.project,
    env: {
      ...baseEnvironment(outside.home, path),
      ...drivers.opencode.env(outside),
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      LEO_URL: url,
      LEO_TOKEN_FILE: tokenFile,
      LEO_CLIENT: 'docker-scout',
      LEO_TO: 'rocket',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [opencode.stdout, opencode.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  t.teardown(async () => {
    try {
      process.kill(-(opencode.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
    server.kill();
    await Promise.all([killLeftBehind(outside.home), killLeftBehind(inside.home)]);
    await Promise.all([scoutModel.close(), rocketModel.close()]);
    container.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    if (t.passing()) return;
    for (const line of [...scout.lines(), ...rocket.lines(), said]) t.comment(line);
  });
  const session = async (): Promise<string> => {
    const made = await fetch(`${scoutUrl}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      // A connection that comes while opencode starts may never be answered.
      signal: AbortSignal.timeout(5000),
    });
    const value: unknown = await made.json();
    return isObject(value) ? String(value.id) : '';
  };
  const prompt = async (id: string, text: string) => {
    const answer = await fetch(`${scoutUrl}/session/${id}/prompt_async`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ parts: [{ type: 'text', text }] }),
    });
    t.equal(answer.status, 204);
  };
  const asking = await until('opencode serves', () => session().catch(() => undefined), patienceMs);
  await prompt(asking, 'Ask rocket whether the build is green.');
  const ask = await scout.conversation.next(patienceMs);
  const told = await ask.call(tool(ask, 'message_leo'), { text: 'Is the build green?' }, patienceMs);
  t.match(told.request.answers.at(-1)?.text, 'The message was delivered.');
  told.say('I have asked.');

  // A newer session, which a person has switched to.
  const newer = await session();
  await prompt(newer, 'Something else altogether.');
  const other = await scout.conversation.next(patienceMs);
  t.match(other.request.prompts.join('\n'), 'Something else altogether.');
  other.say('Else it is.');

  const heard = await rocket.conversation.next(patienceMs);
  t.match(
    heard.request.prompts.join('\n'),
    `[message from docker-scout#${asking}] Is the build green?`,
    'it arrives in rocket, with the session that it came from',
  );
  const command = `node .claude/skills/reply-to-scout/reply.mjs ${asking} 'THE BUILD IS GREEN'`;
  const sent = await heard.call(tool(heard, 'Bash'), { command, description: 'Answers' }, patienceMs);
  t.match(sent.request.answers.at(-1)?.text, 'sent');
  sent.say('Answered.');

  const reply = await scout.conversation.next(patienceMs);
  t.match(reply.request.prompts.at(-1), 'THE BUILD IS GREEN', 'the reply runs');
  t.match(reply.request.prompts.join('\n'), 'Ask rocket', 'in the session that asked');
  t.notMatch(reply.request.prompts.join('\n'), 'Something else', 'and in no other');
  reply.say('Good to know.');

  // With the token in hand, that one message is all that can be done.
  const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const refused = Object.values<Route>(routes).filter(({ roles }) => roles !== 'anyone');
  for (const { method, path } of [...refused, { method: 'GET', path: '/x' }]) {
    const target = path.replace(':name', 'other').replace(/:\w+/g, 'x');
    const body = method === 'POST' ? { body: '{}' } : {};
    const { status } = await fetch(`${url}${target}`, { method, headers: bearer, ...body });
    t.equal(status, 403, `${method} ${target}`);
  }

  function run(...words: readonly string[]): string {
    return spawnSync(process.execPath, [leo, ...words], { env: daemon.env, encoding: 'utf8' }).stdout;
  }
});

function scripted(name: string): { conversation: Conversation; lines: () => readonly string[] } {
  const trace = startTrace();
  return {
    conversation: startConversation(trace),
    lines: () => trace.entries.map((entry) => `${name}: ${traceLine(entry)}`),
  };
}

function place(folder: string, modelPort: number): RunPlace {
  const made = { home: join(folder, 'home'), project: join(folder, 'project'), modelPort, serverName: 'leo' };
  mkdirSync(made.home, { recursive: true });
  mkdirSync(made.project, { recursive: true });
  return made;
}

function write(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value));
}

function tool(turn: Turn, name: string) {
  const found = turn.request.tools.find((one) => one.name === name);
  if (found === undefined)
    throw new Error(`no ${name} among ${turn.request.tools.map((one) => one.name).join(', ')}`);
  return found;
}

/** A port that is free now; both ends have to know it before anything listens there. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, host, done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
