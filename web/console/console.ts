// The page's middle: what is known, what is to be told to the person, and everything that a button does.
//
// What must stay true: a tab's own state changes by `reduce` alone; what the leader does to its state it tells to the
// other tabs, so that all know the same; an answer is on its way once, and its card says so.

import { answered, declined, type Result, refusalWords } from '../human/requests.js';
import { type Answer, Api } from '../link/api.js';
import { Leader, sendResult } from '../link/leader.js';
import { places } from '../link/places.js';
import { forgetSignIn, onSignInElsewhere, signedInWord } from '../link/session.js';
import { emptyState, type Question, type State } from '../model/facts.js';
import { type Action, isStale, reduce } from '../model/reduce.js';
import { Tabs } from '../tabs/tabs.js';
import {
  answersHere,
  clientKey,
  forgetWritten,
  keepDraft,
  keepShown,
  keptShown,
  onSwitchElsewhere,
  setAnswersHere,
} from './kept.js';
import { gone, type Notice } from './notices.js';

const mostNotices = 4;
/** Between two attempts to give an answer to a daemon that was started anew, in milliseconds. */
const againMs = 400;

/** What is of this tab alone. */
export interface Local {
  readonly signedIn: boolean;
  /** Why signing in failed, if it did. */
  readonly signInWords: string | undefined;
  readonly notices: readonly Notice[];
  /** Questions whose answer is on its way. */
  readonly sending: ReadonlySet<string>;
}

export class Console {
  readonly #api = new Api(() => this.#signedOut());
  readonly #watchers = new Set<() => void>();
  readonly #tabs: Tabs;
  readonly #key = clientKey(Tabs.areShared());
  #state: State = { ...emptyState, shown: keptShown() };
  #local: Local;
  #leader: Leader | undefined;
  #noticeCount = 0;
  /** What this tab has answered: no news to it. */
  readonly #answeredHere = new Set<string>();

  constructor(signInWords: string | undefined) {
    const signedIn = signedInWord() !== undefined;
    this.#local = { signedIn, signInWords, notices: [], sending: new Set() };
    this.#tabs = new Tabs({
      lead: () => this.#lead(),
      follow: () => this.#follow(),
      action: (action) => (this.#tabs.leads ? this.#dispatch(action) : this.#apply(action)),
      state: (state) => this.#replace(state),
      nudged: () => this.#leader?.nudge(),
      current: () => this.#state,
    });
    if (!Tabs.areShared()) this.#lead();
    onSignInElsewhere(() => this.signInChanged(undefined));
    onSwitchElsewhere(() => {
      void this.#leader?.offerChanged();
      this.#changed();
    });
    addEventListener('pagehide', () => keepShown(this.#state.shown));
    addEventListener('online', () => this.#nudge());
    setInterval(() => this.#nudgeIfStale(), 2000);
  }

  get state(): State {
    return this.#state;
  }

  get local(): Local {
    return this.#local;
  }

  /** Is told of every change; gives what ends that. */
  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  get answersHere(): boolean {
    return answersHere();
  }

  /** Answers a question in words. */
  async answer(question: Question, text: string): Promise<void> {
    await this.#settle(question, answered(text), `Your answer was given to ${question.agent}.`);
  }

  async decline(question: Question): Promise<void> {
    await this.#settle(question, declined, `${question.agent} was told that you do not answer.`);
  }

  /** Turns answering on or off, in this browser. */
  turnAnswering(on: boolean): void {
    // Another tab that leads is told by the browser.
    setAnswersHere(on);
    void this.#leader?.offerChanged();
    this.#changed();
  }

  dismiss(id: string): void {
    this.#act({ type: 'dismissed', id });
  }

  /** Ends a call for its agent. Gives undefined on success, else what to tell. */
  async cancel(id: string): Promise<string | undefined> {
    const answer = await this.#api.send(places.request(id, 'cancel'), { method: 'POST' });
    return answer.is === 'done' ? undefined : failure(answer);
  }

  /** Puts a text into an agent's prompt, and says how that went. */
  async message(agent: string, text: string): Promise<{ readonly ok: boolean; readonly words: string }> {
    const answer = await this.#api.send(places.message(agent), { method: 'POST', body: { text } });
    if (answer.is !== 'done') return { ok: false, words: failure(answer) };
    const submitted = (answer.data as { readonly submitted?: unknown } | undefined)?.submitted === true;
    return submitted
      ? { ok: true, words: `Submitted: ${agent} has it.` }
      : { ok: true, words: `Typed, but unconfirmed: ${agent} was not seen to take it. Look at its screen.` };
  }

  /** Somebody has signed in or out, here or in another tab, or has tried to. */
  signInChanged(words: string | undefined): void {
    if (signedInWord() === undefined) this.#signedOut(words);
    else {
      this.#setLocal({ signedIn: true, signInWords: undefined });
      if (this.#tabs.leads) this.#lead();
    }
  }

  async signOut(): Promise<void> {
    // Its stream ends first, by us: a stream that is cut is an error to a browser.
    this.#follow();
    const answer = await this.#api.send(places.session, { method: 'DELETE' });
    if (answer.is === 'lost') {
      if (this.#tabs.leads) this.#lead();
      return this.notify('Leo does not answer; you are still signed in.', 'bad');
    }
    forgetSignIn();
    this.#signedOut();
  }

  /** Tells the person something, for a while. */
  notify(words: string, tone: Notice['tone']): void {
    const notice = { n: ++this.#noticeCount, words, tone };
    this.#setLocal({ notices: [...this.#local.notices, notice].slice(-mostNotices) });
    if (tone === 'good') setTimeout(() => this.closeNotice(notice.n), 8000);
  }

  closeNotice(n: number): void {
    this.#setLocal({ notices: this.#local.notices.filter((notice) => notice.n !== n) });
  }

  async #settle(question: Question, result: Result, words: string): Promise<void> {
    const { id, agent } = question;
    const { link } = this.#state;
    if (this.#local.sending.has(id)) return;
    if (link.is !== 'live' || link.clientId === undefined)
      return this.notify('Leo is not answering now; your answer was not sent. Try again in a moment.', 'bad');
    this.#setSending(id, true);
    // The event of its end may come before the answer does.
    this.#answeredHere.add(id);
    const answer = await this.#sendResult(question, link.clientId, result);
    this.#setSending(id, false);
    if (answer.is !== 'done') this.#answeredHere.delete(id);
    if (answer.is === 'lost') return this.notify('The answer was not sent: Leo does not answer.', 'bad');
    if (answer.is === 'refused') {
      this.notify(refusalWords(answer.code, answer.words, agent), 'bad');
      // What is not there any more need not stay on the screen.
      if (answer.code !== 'already_settled' && answer.code !== 'unknown_request') return;
    } else this.notify(words, 'good');
    this.#answeredHere.add(id);
    keepDraft(id, '');
    this.#act({ type: 'answered', id });
  }

  /** A daemon that was started anew gets its calls back one after another: it is asked again while that may be. */
  async #sendResult(question: Question, clientId: string, result: Result): Promise<Answer> {
    const { id } = question;
    for (;;) {
      const answer = await sendResult(this.#api, id, clientId, result, () => this.#local.signedIn);
      if (answer.is !== 'refused' || answer.code !== 'unknown_request') return answer;
      const { link, questions } = this.#state;
      const asked = questions.find((each) => each.id === id);
      if (asked === undefined || (link.is === 'live' && link.epoch === asked.epoch)) return answer;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }

  #lead(): void {
    if (!this.#local.signedIn) return;
    this.#leader ??= new Leader({
      api: this.#api,
      clientKey: this.#key,
      offers: answersHere,
      state: () => this.#state,
      dispatch: (action) => this.#dispatch(action),
    });
  }

  #follow(): void {
    this.#leader?.end();
    this.#leader = undefined;
  }

  #signedOut(words?: string): void {
    this.#follow();
    forgetWritten();
    this.#state = emptyState;
    this.#setLocal({ signedIn: false, signInWords: words, notices: [], sending: new Set() });
  }

  /** Of the leader: to itself, and to the others. */
  #dispatch(action: Action): void {
    this.#tabs.tell(action);
    this.#apply(action);
  }

  /** Of any tab: through the leader, so that all know; at once here. */
  #act(action: Action): void {
    if (this.#tabs.leads) return this.#dispatch(action);
    this.#tabs.act(action);
    this.#apply(action);
  }

  #apply(action: Action): void {
    const before = this.#state;
    this.#state = reduce(before, action);
    if (this.#state === before) return;
    if (before.questions !== this.#state.questions)
      for (const words of gone(before.questions, this.#state.questions, action, this.#answeredHere))
        this.notify(words, 'plain');
    this.#changed();
  }

  #replace(state: State): void {
    this.#state = { ...state, shown: state.shown.length > 0 ? state.shown : this.#state.shown };
    this.#changed();
  }

  #nudge(): void {
    if (this.#leader !== undefined) this.#leader.nudge();
    else this.#tabs.nudge();
  }

  /** A leader that is not looked at is slow with its timers: a tab that is looked at hurries it. */
  #nudgeIfStale(): void {
    if (document.visibilityState !== 'visible' || this.#tabs.leads) return;
    const { link } = this.#state;
    const facts = ['agents', 'groups', 'calls'] as const;
    if (link.is !== 'live' || facts.some((each) => isStale(this.#state, each))) this.#tabs.nudge();
  }

  #setSending(id: string, on: boolean): void {
    const sending = new Set(this.#local.sending);
    if (on) sending.add(id);
    else sending.delete(id);
    this.#setLocal({ sending });
  }

  #setLocal(change: Partial<Local>): void {
    this.#local = { ...this.#local, ...change };
    this.#changed();
  }

  #changed(): void {
    for (const told of this.#watchers) told();
  }
}

function failure(answer: Exclude<Answer, { is: 'done' }>): string {
  return answer.is === 'lost' ? 'Leo does not answer; nothing was done.' : answer.words;
}
