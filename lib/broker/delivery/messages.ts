// Messages to agents (design 9): which agent is meant, one at a time for each, and told of to the event stream.
//
// What must stay true: a message goes to the agent that its name meant when it came, or to none: where that one has
// ended while the message waited, no other is looked for. Nor is one typed whose sender lost the right to it meanwhile.

import type { WireMessageData } from '../../wire/bodies/message.js';
import { LeoError } from '../../wire/errors.js';
import type { BrokerEvent } from '../../wire/events.js';
import { agentMeant } from '../agents/names.js';
import type { Panes } from '../agents/panes/pane.js';
import type { Tmux } from '../tmux/run-tmux.js';
import { deliver, type Patience } from './deliver.js';
import { messageText } from './message-text.js';

export interface MessagesOptions {
  readonly tmux: Tmux;
  readonly panes: Panes;
  /** Every agent that there is, attached and supervised, with those that have ended and are remembered. */
  readonly names: () => Iterable<string>;
  /** What became of an agent that Leo has started; undefined for those that others have. */
  readonly fateOf: (name: string) => string | undefined;
  readonly randomId: () => string;
  readonly publish: (event: BrokerEvent) => void;
  readonly patience?: Patience;
}

export interface Message {
  /** The agent's name as the sender wrote it. */
  readonly to: string;
  readonly text: string;
  /** The sender, as the agent is shown it. */
  readonly from: string;
  /** Whether a part of a name will do. Not for those who may message the agents named for them and no other. */
  readonly shorthand: boolean;
  /** The agent that sends it, where that is proven; it cannot wait for itself. */
  readonly sender?: string;
  /** Asked when its turn has come: whether its sender is still one who may send it. */
  readonly maySend?: () => boolean;
}

/** How many messages may wait for one agent. */
const maxWaiting = 16;
/** How long one may wait for those before it, in milliseconds. */
const maxWaitMs = 15_000;

export class Messages {
  readonly #options: MessagesOptions;
  /** The last message to each agent, done when it was delivered or refused, and how many there are. */
  readonly #queues = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>();

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  /**
   * Delivers a message.
   *
   * @throws {LeoError} `not_found`, `not_deliverable`, `forbidden`, `too_large`, or `invalid_request`.
   */
  async send(message: Message): Promise<WireMessageData> {
    const text = messageText(message.text, message.from);
    const agent = this.#meant(message);
    if (agent === message.sender)
      throw new LeoError('not_deliverable', `you are ${agent} yourself; a message is for another agent`);
    return await this.#inTurn(agent, async () => {
      const { tmux, panes, patience, publish, randomId } = this.#options;
      if (message.maySend?.() === false)
        throw new LeoError('forbidden', `${message.from} may not message ${message.to} any more`);
      const pane = panes.paneOf(agent);
      if (pane === undefined) throw this.#unreachable(agent);
      const submitted = await deliver({ tmux, agent, pane, text, ...(patience && { patience }) });
      const id = `m_${randomId()}`;
      publish({ type: 'agent.message', id, name: agent, from: message.from, submitted });
      return { id, agent, submitted };
    });
  }

  #meant({ to, shorthand }: Message): string {
    const names = [...this.#options.names()];
    if (shorthand) return agentMeant(to, names);
    if (names.includes(to)) return to;
    throw new LeoError('not_found', `no agent ${JSON.stringify(to)}`);
  }

  #unreachable(agent: string): LeoError {
    const fate = this.#options.fateOf(agent);
    return new LeoError(
      'not_deliverable',
      fate === undefined
        ? `the agent ${agent} runs in a window that Leo did not start, so it cannot be typed to; agents that Leo starts can: leo agent spawn TEMPLATE --name ${agent}`
        : `the agent ${agent} does not run (${fate}); see the agents with: leo agent list`,
    );
  }

  /** Runs the deliveries to one agent one after another. */
  async #inTurn<T>(agent: string, work: () => Promise<T>): Promise<T> {
    const { last, length } = this.#queues.get(agent) ?? { last: Promise.resolve(), length: 0 };
    if (length >= maxWaiting)
      throw new LeoError(
        'not_deliverable',
        `${maxWaiting} messages wait for the agent ${agent}; try again later`,
      );
    const since = Date.now();
    const turn = last.then(async () => {
      if (Date.now() - since < maxWaitMs) return await work();
      throw new LeoError(
        'not_deliverable',
        `the agent ${agent} was busy with messages before this one; send it again`,
      );
    });
    const settled = turn.catch(() => undefined);
    const entry = { last: settled, length: length + 1 };
    this.#queues.set(agent, entry);
    void settled.then(() => {
      const now = this.#queues.get(agent);
      if (now === undefined) return;
      if (now.length === 1) this.#queues.delete(agent);
      else this.#queues.set(agent, { ...now, length: now.length - 1 });
    });
    return await turn;
  }
}
