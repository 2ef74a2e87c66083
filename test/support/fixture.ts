// The wire fixtures (fixtures/wire): what one looks like, and how it is played against a real daemon.
//
// A fixture sets a scene (`given`), sends one request or watches for one event, and holds what comes of it.
// In texts, `{app1}` stands for the client_id of an app of the scene, `{home}` for the LEO_HOME, `{code}` for that of a
// new link to the console, and `{script}` for a file of its page. In what is expected, `<uint>`, `<time>`, `<epoch>`, `<version>`, `<text>` and `<client_id>` stand for values that differ from
// run to run; all else is exact.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { isObject } from '../../lib/wire/json.js';
import { newCode, signIn } from './console-session.js';
import { type RunningDaemon, root } from './daemon.js';
import { EventStream } from './event-stream.js';
import { http, post } from './http.js';
import { LinkAgent } from './link-agent.js';
import { until } from './wait.js';

export type Step =
  | { readonly app: string; readonly key?: string }
  | { readonly register: string; readonly group: string; readonly tools: readonly object[] }
  | { readonly agent: string }
  | { readonly call: string; readonly agent: string; readonly tool: string; readonly arguments?: object }
  | { readonly claim: string; readonly app: string }
  | { readonly result: string; readonly app: string; readonly content: readonly object[] }
  | { readonly cancel: string; readonly agent: string }
  /** Waits until a call that the link has parked is open. */
  | { readonly parked: string }
  | { readonly fail: string; readonly app: string; readonly error: object }
  | { readonly progress: string; readonly app: string; readonly body: object }
  /** What the gateway of an agent saw of its harness. */
  | { readonly seen: string; readonly relists: boolean }
  /** What stands in leo.yaml. */
  | { readonly config: string }
  | { readonly leave: string }
  | { readonly stop: string }
  /** Starts an agent of a template. */
  | { readonly spawn: string; readonly name: string }
  | { readonly message: string; readonly body: object };

export interface Fixture {
  readonly what: string;
  /** Played only where tmux is installed. */
  readonly tmux?: boolean;
  readonly given?: readonly Step[];
  /** A request of a route, and its answer. */
  readonly route?: string;
  readonly code?: string;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    /** A bearer over TCP, a browser that is signed in to the console, `nobody` there, or the socket's peer. */
    readonly as: 'socket' | 'operator' | 'agent' | 'device' | 'client' | 'console' | 'nobody';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: object;
    /** A body of this many bytes, where the bytes do not matter. */
    readonly filler?: number;
  };
  readonly answer?: { readonly status: number; readonly body: unknown };
  /** An event, as one kind of reader sees it. */
  readonly event?: string;
  readonly reader?: 'provider' | 'watcher';
  readonly data?: unknown;
  /** Messages of a gateway link, sent and received in turn, and what others do between them. */
  readonly link?: readonly (
    | { readonly send: object }
    | { readonly receive: object }
    | { readonly do: Step }
  )[];
}

/** What came, to be held against what the fixture expects. */
export interface Played {
  readonly status?: number;
  readonly body?: unknown;
  readonly data?: unknown;
  readonly received?: readonly unknown[];
}

/** Plays a fixture and gives what came, with the scene's own ids put back to their names. */
export async function play(
  t: Test,
  daemon: RunningDaemon,
  tokens: Readonly<Record<string, string>>,
  fixture: Fixture,
): Promise<Played> {
  const scene = new Scene(t, daemon);
  try {
    const watcher = await EventStream.open(t, { at: daemon.socket });
    scene.readers.push(watcher);
    await watcher.next('hello');
    for (const step of fixture.given ?? []) await scene.play(step);
    if (fixture.event !== undefined)
      return scene.named({ data: (await scene.event(watcher, fixture.event, fixture.reader)).data });
    if (fixture.link !== undefined) return scene.named({ received: await scene.link(fixture.link) });
    if (fixture.request === undefined) throw new Error(`${fixture.what}: neither request, event nor link`);
    const { method, path, as, headers = {}, body, filler } = fixture.request;
    const token = tokens[as];
    const session = as === 'console' ? (await signIn(daemon)).headers : {};
    const answer = await http(as === 'socket' ? daemon.socket : daemon.http, await scene.sent(path), {
      method,
      headers: {
        ...headers,
        ...session,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: await scene.sent(body) }),
      ...(filler === undefined ? {} : { body: 'x'.repeat(filler) }),
    });
    return scene.named({ status: answer.status, body: answer.body });
  } finally {
    await scene.end();
  }
}

class Scene {
  readonly readers: EventStream[] = [];
  readonly #apps = new Map<string, { stream: EventStream; clientId: string }>();
  readonly #agents = new Map<string, LinkAgent>();
  readonly #groups: [app: string, group: string][] = [];
  readonly #configPath: string;
  /** leo.yaml before the scene changed it. */
  #config: string | undefined;

  constructor(
    readonly t: Test,
    readonly daemon: RunningDaemon,
  ) {
    this.#configPath = placesOf(daemon.env).config;
  }

  async play(step: Step): Promise<void> {
    const at = this.daemon.socket;
    const requests = '/api/v1/client-tools/requests';
    if ('register' in step) {
      await this.#register(step.register, step.group, step.tools);
      this.#groups.push([step.register, step.group]);
    } else if ('call' in step) {
      this.#agent(step.agent).park(step.call, step.tool, step.arguments ?? {});
      await this.#parked(step.call);
    } else if ('claim' in step) {
      await this.#ok(
        post(at, `${requests}/${step.claim}/claim`, { client_id: this.#app(step.app).clientId }),
      );
    } else if ('result' in step) {
      const body = { client_id: this.#app(step.app).clientId, ok: true, content: step.content };
      await this.#ok(post(at, `${requests}/${step.result}/result`, body));
    } else if ('parked' in step) {
      await this.#parked(step.parked);
    } else if ('fail' in step) {
      const body = { client_id: this.#app(step.app).clientId, ok: false, error: step.error };
      await this.#ok(post(at, `${requests}/${step.fail}/result`, body));
    } else if ('progress' in step) {
      await this.#ok(
        post(at, `${requests}/${step.progress}/progress`, {
          client_id: this.#app(step.app).clientId,
          ...step.body,
        }),
      );
    } else if ('cancel' in step) {
      this.#agent(step.agent).notify('call/cancel', { id: step.cancel });
      await this.#agent(step.agent).response(step.cancel);
    } else if ('seen' in step) {
      this.#agent(step.seen).notify('harness/seen', { relists: step.relists });
      await until('it is remembered', async () =>
        JSON.stringify((await http(at, '/api/v1/harnesses')).body).includes(`"relists":${step.relists}`),
      );
    } else if ('config' in step) {
      this.#config ??= readFileSync(this.#configPath, 'utf8');
      writeFileSync(this.#configPath, step.config);
    } else if ('leave' in step) {
      this.#app(step.leave).stream.close();
    } else if ('spawn' in step) {
      await this.#ok(post(at, '/api/v1/agents', { template: step.spawn, name: step.name, cwd: '/' }));
    } else if ('message' in step) {
      await this.#ok(post(at, `/web/agent/${step.message}/message`, step.body));
    } else if ('stop' in step) {
      await this.#agent(step.stop).bye();
    } else if ('agent' in step) {
      this.#agents.set(step.agent, await LinkAgent.start(this.t, { socket: at, agent: step.agent }));
    } else {
      this.#apps.set(step.app, await EventStream.app(this.t, at, step.key));
    }
  }

  /** The last event of a type that the scene has brought about, for one kind of reader. */
  async event(watcher: EventStream, type: string, reader: 'provider' | 'watcher' = 'watcher') {
    const [app] = this.#apps.values();
    const stream = reader === 'provider' ? app?.stream : watcher;
    if (stream === undefined) throw new Error('the scene has no app to be the provider');
    await stream.next(type);
    return stream.events.filter((event) => event.event === type).at(-1) ?? (await stream.next(type));
  }

  async link(messages: NonNullable<Fixture['link']>): Promise<readonly unknown[]> {
    const agent = await LinkAgent.open(this.t, { socket: this.daemon.socket });
    this.#agents.set('the link', agent);
    const received: unknown[] = [];
    for (const message of messages) {
      if ('send' in message) agent.send(this.filled(message.send));
      else if ('do' in message) await this.play(message.do);
      else received.push(await until('the link brings a message', () => agent.messages[received.length]));
    }
    return received;
  }

  /** A value as it is sent: also with what the console takes part in. */
  async sent<T>(value: T): Promise<T> {
    let text = JSON.stringify(this.filled(value));
    if (text.includes('{code}')) text = text.replaceAll('{code}', await newCode(this.daemon));
    if (text.includes('{script}')) text = text.replaceAll('{script}', scriptOfThePage());
    return JSON.parse(text) as T;
  }

  /** A value with `{app1}` and the like filled in. */
  filled<T>(value: T): T {
    let text = JSON.stringify(value);
    for (const [name, { clientId }] of this.#apps) text = text.replaceAll(`{${name}}`, clientId);
    return JSON.parse(text) as T;
  }

  /** The opposite of `filled`. */
  named<T>(value: T): T {
    let text = JSON.stringify(value).replaceAll(this.daemon.home, '{home}');
    for (const [name, { clientId }] of this.#apps) text = text.replaceAll(clientId, `{${name}}`);
    return JSON.parse(text) as T;
  }

  /** Everybody leaves, and the daemon is as it was. */
  async end(): Promise<void> {
    for (const agent of this.#agents.values()) agent.webSocket.close();
    if (this.#config !== undefined) {
      writeFileSync(this.#configPath, this.#config);
      await this.#ok(post(this.daemon.socket, '/api/v1/reload', {}));
    }
    const { body } = await http(this.daemon.socket, '/api/v1/agents');
    for (const name of supervisedIn(body))
      await this.#ok(post(this.daemon.socket, '/api/agent/stop', { name }));
    // A keyed app would be expected back for a while with all it has, so everything is taken back first.
    for (const [app, group] of this.#groups)
      if (!this.#app(app).stream.ended) await this.#register(app, group, []);
    for (const { stream } of this.#apps.values()) stream.close();
    for (const reader of this.readers) reader.close();
    await until('the scene is cleared', async () => {
      const [tools, agents, calls] = await Promise.all([
        http(this.daemon.socket, '/api/v1/client-tools'),
        http(this.daemon.socket, '/api/v1/agents'),
        http(this.daemon.socket, '/api/v1/client-tools/requests?pending=1'),
      ]);
      return isDeepStrictEqual(
        [tools, agents, calls].map(({ body }) =>
          Object.values(isObject(body.data) ? body.data : {}).flatMap((list) =>
            Array.isArray(list) ? list : [],
          ),
        ),
        [[], [], []],
      );
    });
  }

  async #register(app: string, group: string, tools: readonly object[]): Promise<void> {
    const body = { client_id: this.#app(app).clientId, group, tools };
    await this.#ok(post(this.daemon.socket, '/api/v1/client-tools', body));
  }

  async #parked(id: string): Promise<void> {
    const path = '/api/v1/client-tools/requests?pending=1';
    await until(`${id} is parked`, async () =>
      JSON.stringify((await http(this.daemon.socket, path)).body).includes(id),
    );
  }

  #app(name: string) {
    const app = this.#apps.get(name);
    if (app === undefined) throw new Error(`the scene has no app ${name}`);
    return app;
  }

  #agent(name: string): LinkAgent {
    const agent = this.#agents.get(name);
    if (agent === undefined) throw new Error(`the scene has no agent ${name}`);
    return agent;
  }

  async #ok(answer: ReturnType<typeof http>): Promise<void> {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`a step of the scene failed: ${status} ${JSON.stringify(body)}`);
  }
}

/** The build gives it a name that changes with what is in it. */
function scriptOfThePage(): string {
  const name = readdirSync(join(root, 'dist', 'console')).find((file) => file.endsWith('.js'));
  if (name === undefined) throw new Error('the page of the console has no script');
  return name;
}

function supervisedIn(body: Readonly<Record<string, unknown>>): readonly string[] {
  const agents = isObject(body.data) && Array.isArray(body.data.agents) ? body.data.agents : [];
  return agents.flatMap((agent: unknown) =>
    isObject(agent) && agent.supervised !== null ? [String(agent.name)] : [],
  );
}

const tokens: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<uint>': (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  '<time>': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  '<epoch>': (value) => typeof value === 'string' && /^[0-9a-f]{12}$/.test(value),
  '<version>': (value) => typeof value === 'string' && /^\d+\.\d+\.\d+/.test(value),
  '<text>': (value) => typeof value === 'string' && value !== '',
  '<client_id>': (value) => typeof value === 'string' && /^c_/.test(value),
};

/** Where a value differs from what is expected, or undefined. */
export function difference(expected: unknown, actual: unknown, at = '$'): string | undefined {
  const token = typeof expected === 'string' ? tokens[expected] : undefined;
  if (token !== undefined)
    return token(actual) ? undefined : `at ${at}: ${JSON.stringify(actual)} is no ${String(expected)}`;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return first(expected.map((item, i) => difference(item, actual[i], `${at}[${i}]`)));
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return first([...keys].map((key) => difference(expected[key], actual[key], `${at}.${key}`)));
  }
  return isDeepStrictEqual(expected, actual)
    ? undefined
    : `at ${at}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
}

function first(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}
