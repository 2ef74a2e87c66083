// What apps, agents and people say to one another goes through the daemon and stays nowhere: not in its log at any level,
// not in a file, not in the metrics, not on a stream of those who only watch. Every route and every method of the link is
// given a word of its own, and everything that was written is looked through for it.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { linkMethods } from '../../lib/wire/link.js';
import { type Route, type RouteName, routes } from '../../lib/wire/routes.js';
import { newCode, signIn } from '../support/console-session.js';
import { startDaemon, temporaryHome } from '../support/daemon.js';
import { EventStream } from '../support/event-stream.js';
import { Gateway } from '../support/gateway.js';
import { http, post } from '../support/http.js';
import { LinkAgent } from '../support/link-agent.js';
import { programIn } from '../support/program-on-path.js';
import { scopedToken } from '../support/scoped-token.js';
import { until } from '../support/wait.js';

/** In everything that must not be found again, and nowhere else. */
const canary = 'Kanarienvogel';
const word = (what: string) => `${canary}-${what}`;

const config = `api_clients: { scout: { can_message: ["*"] } }
templates: { coder: { harness: claude-code } }
`;
/** A harness to start, and no tmux to start it in. */
const programs = temporaryHome(t);
programIn(programs, 'claude', 'exit 0');
const env = { PATH: programs };
const daemon = await startDaemon(t, { config, args: ['--log-level', 'debug'], env });
const places = placesOf(daemon.env);
const tokens = {
  operator: readFileSync(places.apiToken, 'utf8').trim(),
  agent: readFileSync(places.agentToken, 'utf8').trim(),
  client: scopedToken(places.clients, 'scout'),
  device: scopedToken(places.devices, 'phone'),
};
await http(daemon.socket, '/api/v1/reload', { method: 'POST', body: {} });
const secrets: string[] = Object.values(tokens);

/** What is sent to each route besides what all are sent: its own form, with the word wherever text goes. */
function bodyOf(name: RouteName, clientId: string): object | undefined {
  const said = word(name);
  switch (name) {
    case 'register':
      return {
        client_id: clientId,
        group: 'g',
        tools: [
          {
            name: 'look',
            description: said,
            input_schema: { type: 'object', properties: { where: { type: 'string', description: said } } },
            timeout_s: 60,
          },
        ],
      };
    case 'claim':
      return { client_id: clientId };
    case 'progress':
      return { client_id: clientId, progress: 1, message: said };
    case 'result':
      return { client_id: clientId, ok: true, content: [{ type: 'text', text: said }] };
    case 'spawn':
    case 'spawnOlder':
      return { template: said, prompt: said };
    case 'stopOlder':
      return { name: said };
    case 'message':
      return { text: said, from: said };
    case 'signIn':
      return { code: said };
    case 'reload':
      return {};
    default: {
      const route: Route = routes[name];
      return route.method === 'POST' && route.body !== undefined ? { [said]: said } : undefined;
    }
  }
}

t.test('nothing that is said is kept or logged', async (t) => {
  const { stream, clientId } = await EventStream.app(t, daemon.socket, word('client_key'));
  const watcher = await EventStream.open(t, { at: daemon.socket });
  const session = await signIn(daemon);
  secrets.push(session.csrf, session.cookie.split('=')[1] ?? '');
  secrets.push(await newCode(daemon));
  const agent = await LinkAgent.start(t, { socket: daemon.socket, agent: 'rocket' });
  const call = async (name: RouteName, id: string) => {
    const { method, path } = routes[name];
    const filled = path
      .replace(':id', id)
      .replace(':name', name === 'message' ? 'rocket' : word('name'))
      .replace(':group', word('group'))
      .replace(':file', word('file'));
    const body = bodyOf(name, clientId);
    // A wrong query, a strange header and a token that nobody has, after the request as it should be.
    for (const [query, headers] of [
      ['', {}],
      ['', { authorization: `Bearer ${tokens.operator}` }],
      [`?${word('key')}=${word('value')}&token=${word('token')}`, { 'x-strange': word('header') }],
      ['', { authorization: `Bearer ${word('bearer')}` }],
      ['', { cookie: `leo_console_1=${word('cookie')}`, 'x-leo-console': word('csrf') }],
    ] as const) {
      if (
        method === 'GET' &&
        (name === 'events' || name === 'gateway') &&
        query === '' &&
        !('cookie' in headers)
      )
        continue;
      await http(daemon.socket, `${filled}${query}`, {
        method,
        headers: { referer: `http://127.0.0.1/${word('referer')}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    }
  };
  // Calls, so that claim, progress and result have something to be about; one is cancelled, one ends with an error.
  await call('register', 'r_none');
  for (const id of ['r_leak_one', 'r_leak_two', 'r_leak_three'])
    agent.park(id, 'look', { where: word('argument'), [word('argument_name')]: 1 });
  await until(
    'all are parked',
    () => stream.events.filter(({ event }) => event === 'client_tool.request').length === 3,
  );
  for (const name of ['claim', 'progress', 'result'] as const) await call(name, 'r_leak_one');
  await call('claim', 'r_leak_two');
  await http(daemon.socket, '/api/v1/client-tools/requests/r_leak_two/result', {
    method: 'POST',
    body: { client_id: clientId, ok: false, error: { code: 'broken', message: word('error') } },
  });
  const prompt = word('prompt');
  const spawned = await post(daemon.socket, '/api/v1/agents', {
    template: 'coder',
    cwd: daemon.home,
    prompt,
  });
  t.match(
    spawned,
    { status: 503, body: { error: /tmux is not installed/ } },
    'an agent that cannot be started',
  );
  const last: readonly RouteName[] = ['signOut', 'signOutAll'];
  const done: readonly RouteName[] = ['register', 'claim', 'progress', 'result'];
  const rest = (Object.keys(routes) as RouteName[]).filter((name) => ![...done, ...last].includes(name));
  for (const name of [...rest, ...last]) await call(name, 'r_leak_three');
  for (const token of Object.values(tokens))
    await http(daemon.http, '/api/v1/agents', { headers: { authorization: `Bearer ${token}` } });

  for (const method of linkMethods.gateway) {
    if (method === 'hello' || method === 'bye') continue;
    agent.notify(method, {
      id: word(method),
      reason: word(method),
      relists: word(method),
      times: word(method),
    });
    await agent.request(method, {
      to: 'rocket',
      text: word(method),
      tool: word(method),
      arguments: { a: word(method) },
    });
  }
  agent.notify(word('method'), {});
  await agent.request(word('method'), {});
  agent.webSocket.send(`{"${word('torn')}`);
  await agent.request('agents/list', {});
  const metrics = await http(daemon.socket, '/metrics');
  const watched = JSON.stringify(watcher.events);
  t.match(watched, /client_tool\.request/, 'the watcher was told');
  t.match(daemon.log(), /^debug: .*client_tool\.settled/m, 'and so was the log');
  t.match(daemon.log(), /^debug: refused: unauthorized POST \/api\/v1\/client-tools unknown$/m);
  const gateways = await Promise.all(['pretty', 'json'].map((format) => talkedTo(t, format)));
  await daemon.end();

  const written = [
    ['the log', daemon.log()],
    ...gateways.map((gateway) => ["a gateway's log", gateway.stderr] as const),
    ['the metrics', String(metrics.body.unparsed)],
    ['the stream of a watcher', watched],
    ...filesBelow(daemon.home)
      .filter((path) => !path.endsWith('.token'))
      .map((path) => [path, `${path} ${readFileSync(path, 'latin1')}`] as const),
  ] as const;
  t.ok(written.length > 6, 'files were looked at');
  for (const [where, text] of written) {
    t.notOk(
      text.includes(canary),
      `${where}: ${text.slice(Math.max(0, text.indexOf(canary) - 80)).slice(0, 160)}`,
    );
    for (const secret of secrets) t.notOk(text.includes(secret), `${where}: no token`);
  }
});

/** A gateway that was told a word wherever a harness can put one, in what can be used and in what cannot. */
async function talkedTo(t: Test, format: string): Promise<Gateway> {
  const gateway = Gateway.start(t, {
    home: daemon.home,
    env: { LEO_LOG_LEVEL: 'debug', LEO_LOG_FORMAT: format },
  });
  await gateway.initialize();
  await gateway.reached();
  const said = { [word('key')]: word('value') };
  // Nobody answers it: it is open when the daemon ends.
  gateway.send({ id: 'open', method: 'tools/call', params: { name: 'look', arguments: said } });
  await gateway.call('leo_send_message', { to: word('to'), text: word('text') });
  await gateway.call(word('tool'), said);
  await gateway.request(word('method'), said);
  gateway.send({ id: 'unasked', result: { content: [{ type: 'text', text: word('result') }] } });
  gateway.send({ id: 'failed', error: { code: 1, message: word('error') } });
  const progress = { progressToken: word('token'), progress: 1, message: word('progress') };
  gateway.send({ method: 'notifications/progress', params: progress });
  gateway.send({ method: word('notification'), params: said });
  gateway.send({ id: 'wrong', method: 'tools/call', params: word('params') });
  gateway.send({ id: 'torn', method: 7, params: said });
  for (const line of [
    `{"text": ${word('unquoted')}`,
    `${word('text')}`,
    `"${word('string')}"`,
    `["${word('batch')}"]`,
  ])
    gateway.write(`${line}\n`);
  await gateway.request('ping');
  await until('it has logged what it cannot use', () => /no JSON-RPC message/.test(gateway.stderr));
  return gateway;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return filesBelow(path);
    return found?.isFile() ? [path] : [];
  });
}
