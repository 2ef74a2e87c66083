// The link to the daemon over all its sockets: dialed at once, greeted when there is an agent to announce,
// dialed again for ever (design 8; lib/wire/link.ts).
//
// - `hello` is not sent before `greet`: a process that is never asked for anything never becomes an agent.
// - While the link is not ready nothing is sent; what must not be lost is the caller's to send again.
// - No failure ends it. Its reason, in words, is kept for the agent (`trouble`).

import { version } from '../../config/version.js';
import type { WireHello } from '../../wire/link.js';
import { noCommonProtocol, spoken } from '../../wire/link-protocol.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { shouldStartDaemon } from './autostart.js';
import { type BrokerMessage, type Greeting, readBrokerMessage, readGreeting } from './messages.js';
import { type DialFailure, redialDelay } from './redial.js';
import { type LinkSocket, openSocket } from './socket.js';
import type { FindTarget } from './target.js';

export interface LinkOptions {
  readonly findTarget: FindTarget;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly hello: () => WireHello;
  /** Asked when there is a reason to start the daemon: a service may have been installed since. */
  readonly mayStartDaemon: () => boolean;
  readonly startDaemon: () => void;
  readonly onReady: (greeting: Greeting) => void;
  readonly onMessage: (message: BrokerMessage) => void;
}

type State =
  | { readonly phase: 'down' }
  | { readonly phase: 'dialing'; readonly socket: LinkSocket }
  /** Open, and not greeted yet. */
  | { readonly phase: 'open'; readonly socket: LinkSocket }
  | { readonly phase: 'greeting'; readonly socket: LinkSocket }
  | { readonly phase: 'ready'; readonly socket: LinkSocket }
  | { readonly phase: 'closed' };

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The broker has answered a request that is no call with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    /** The code in a word. */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

const helloId = 'hello';
/** How long the broker may take to answer what is no call, in milliseconds. */
const answerMs = 5000;

export class Link {
  #state: State = { phase: 'down' };
  #wanted = false;
  #failures = 0;
  #trouble = 'it has not answered yet';
  /** The trouble that the log has, and no word yet that it is over. */
  #logged: string | undefined;
  #failure: DialFailure | undefined;
  #lostAt: number | undefined;
  #startedAt: number | undefined;
  #startedNow = false;
  #callOffRedial = () => {};
  #waiting = new Set<(ready: boolean) => void>();
  readonly #asked = new Map<string, Asked>();
  #nextId = 0;

  constructor(private readonly options: LinkOptions) {}

  get ready(): boolean {
    return this.#state.phase === 'ready';
  }

  /** Whether a link may soon be there: a socket is on its way, or a daemon. */
  get coming(): boolean {
    return this.#state.phase !== 'down' || this.#startedNow;
  }

  /** Whether the daemon said that it does not speak our protocol. */
  get refused(): boolean {
    return this.#failure === 'protocol';
  }

  /** Why there is no link, in words that end a sentence. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Whether this gateway has started a daemon in this outage. */
  get startedDaemon(): boolean {
    return this.#startedNow;
  }

  dial(): void {
    if (this.#state.phase !== 'down') return;
    this.#callOffRedial();
    let target: ReturnType<FindTarget>;
    try {
      target = this.options.findTarget();
    } catch (error) {
      this.#down('failed', error instanceof Error ? error.message : String(error));
      return;
    }
    if (target.kind === 'unix' && !target.present) {
      this.#down('absent', `there is no socket at ${target.path}`);
      return;
    }
    const socket = openSocket(target, this.options.clock, {
      onOpen: () => {
        if (!this.#isCurrent(socket)) return;
        this.#state = { phase: 'open', socket };
        if (this.#wanted) this.#greet();
      },
      onMessage: (data) => {
        if (this.#isCurrent(socket)) this.#take(socket, data);
      },
      onClose: (reason) => {
        if (this.#isCurrent(socket)) this.#lost(reason);
      },
    });
    this.#state = { phase: 'dialing', socket };
  }

  /** There is an agent now: greets, at once or when the link is open. */
  greet(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#greet();
    this.#considerStart();
  }

  /** Sends a message if the link is ready; says whether it was. */
  send(message: object): boolean {
    if (this.#state.phase !== 'ready') return false;
    this.#state.socket.send(JSON.stringify(message));
    return true;
  }

  /** Asks the broker something that is no call; rejects when the link is lost first, or no answer comes in time. */
  ask(method: string, params: object, withinMs = answerMs): Promise<unknown> {
    const id = `q_${++this.#nextId}`;
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#asked.delete(id);
        reject(new Error(`the daemon has not answered within ${withinMs / 1000} s; it may be stopped`));
      };
      const callOff = this.options.clock.after(withinMs, late);
      this.#asked.set(id, {
        resolve: (value) => {
          callOff();
          resolve(value);
        },
        reject: (error) => {
          callOff();
          reject(error);
        },
      });
      if (this.send({ jsonrpc: '2.0', id, method, params })) return;
      this.#asked.delete(id);
      callOff();
      reject(new Error('the link is not ready'));
    });
  }

  /** Waits until the link is ready, for no longer than `ms`; says whether it is. */
  whenReady(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (this.ready) return Promise.resolve(true);
    this.dial();
    return new Promise((resolve) => {
      const done = (ready: boolean) => {
        this.#waiting.delete(done);
        callOff();
        signal?.removeEventListener('abort', aborted);
        resolve(ready);
      };
      const aborted = () => done(false);
      const callOff = this.options.clock.after(ms, () => done(false));
      signal?.addEventListener('abort', aborted);
      this.#waiting.add(done);
    });
  }

  /** Ends the session for good. */
  async close(): Promise<void> {
    const state = this.#state;
    this.send({ jsonrpc: '2.0', method: 'bye', params: {} });
    this.#state = { phase: 'closed' };
    this.#callOffRedial();
    if ('socket' in state) await state.socket.close();
  }

  #greet(): void {
    if (this.#state.phase !== 'open') return;
    const { socket } = this.#state;
    this.#state = { phase: 'greeting', socket };
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: helloId, method: 'hello', params: this.options.hello() }),
    );
  }

  #isCurrent(socket: LinkSocket): boolean {
    return 'socket' in this.#state && this.#state.socket === socket;
  }

  #take(socket: LinkSocket, data: Buffer): void {
    const message = readBrokerMessage(data);
    if (message.kind === 'answer') {
      if (message.id === helloId) this.#greeted(socket, message.result);
      else this.#answered(message.id)?.resolve(message.result);
    } else if (message.kind === 'refusal') {
      if (message.id === helloId) this.#refuse(socket, message.message);
      else this.#answered(message.id)?.reject(new Refusal(message.message, message.word));
    } else this.options.onMessage(message);
  }

  #greeted(socket: LinkSocket, result: unknown): void {
    const greeting = readGreeting(result);
    if (greeting === undefined) {
      this.#refuse(socket, 'it answered with something that this version of Leo does not understand');
      return;
    }
    const { protocol } = greeting;
    if (protocol < spoken.oldest || protocol > spoken.newest) {
      const picked = { version: greeting.version, spoken: { oldest: protocol, newest: protocol } };
      this.#refuse(socket, noCommonProtocol({ version, spoken }, picked));
      return;
    }
    this.#state = { phase: 'ready', socket };
    this.#failures = 0;
    this.#failure = undefined;
    this.#startedNow = false;
    if (this.#logged !== undefined) this.options.log(`linked to the daemon (Leo ${greeting.version})`);
    this.#logged = undefined;
    this.options.onReady(greeting);
    for (const resolve of this.#waiting) resolve(true);
  }

  /** The daemon and this gateway do not understand each other; one of them may be replaced. */
  #refuse(socket: LinkSocket, words: string): void {
    this.#down('protocol', words);
    void socket.close();
  }

  #answered(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  #lost(reason: string): void {
    if (this.#state.phase === 'ready') this.#lostAt = this.options.clock.now();
    for (const { reject } of this.#asked.values()) reject(new Error('the link was lost'));
    this.#asked.clear();
    this.#down(failureOf(reason), reason);
  }

  #down(failure: DialFailure, reason: string): void {
    if (reason !== this.#logged) this.options.log(`warning: no link to the daemon: ${reason}`);
    this.#logged = reason;
    this.#state = { phase: 'down' };
    this.#trouble = reason;
    this.#failure = failure;
    const delay = redialDelay(++this.#failures, failure, this.options.random());
    this.#callOffRedial = this.options.clock.after(delay, () => this.dial());
    this.#considerStart();
  }

  #considerStart(): void {
    const { clock, mayStartDaemon, startDaemon } = this.options;
    if (!this.#wanted || this.#state.phase !== 'down') return;
    const outage = { failure: this.#failure, lostAt: this.#lostAt, startedAt: this.#startedAt };
    if (!shouldStartDaemon(outage, clock.now()) || !mayStartDaemon()) return;
    this.#startedAt = clock.now();
    this.#startedNow = true;
    startDaemon();
  }
}

function failureOf(reason: string): DialFailure {
  if (reason.includes('ECONNREFUSED')) return 'refused';
  return reason.includes('ENOENT') ? 'absent' : 'failed';
}
