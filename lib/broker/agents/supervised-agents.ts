// The agents that Leo starts in tmux (design 9): spawned, watched, started again, stopped, and found again by the
// next daemon. What is to be done is decided in the pure modules beside this one.
//
// What must stay true: what touches tmux happens one after another; a record is on disk before its pane is made, and
// tmux holds no session's name twice, so no agent is started twice; an agent is `running` here only with a pane
// that was seen with its process.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../config/templates.js';
import type { Installation } from '../../setup/leo-entry.js';
import { LeoError } from '../../wire/errors.js';
import type { Clock } from '../clock.js';
import { lookForEnded } from '../tmux/reap.js';
import { type Tmux, TmuxError, type TmuxFault, tmuxOn } from '../tmux/run-tmux.js';
import { prepareAgent, workFolder } from './agent-folder.js';
import { becomes, type Look } from './becomes.js';
import { freeName, isTaken } from './names.js';
import type { AgentPane, PaneIdentity, Panes } from './panes/pane.js';
import { PaneWatch } from './panes/pane-watch.js';
import { endProcess, isAlive } from './panes/process-end.js';
import type { Seen } from './panes/recovery.js';
import { endPane, makePane, seenPanes } from './panes/tmux-panes.js';
import { type AgentLife, type AgentRecord, paneIn, readRecords, writeRecords } from './records.js';

export interface SupervisedAgentsOptions {
  /** state/agents.json. */
  readonly file: string;
  /** Where each agent has a folder of its own. */
  readonly folder: string;
  readonly home: string;
  readonly installation: Installation;
  /** The tmux server's name. */
  readonly server: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly templates: () => Readonly<Record<string, Template>>;
  /** Told when an agent has a living pane, and when it has none any more. */
  readonly started: (name: string, at: number) => void;
  readonly ended: (name: string) => void;
}

export interface SpawnRequest {
  readonly template: string;
  readonly name: string | undefined;
  readonly cwd: string | undefined;
  readonly prompt: string | undefined;
}

export class SupervisedAgents implements Panes {
  readonly server: string;
  readonly #options: SupervisedAgentsOptions;
  readonly #tmux: Tmux;
  readonly #records = new Map<string, AgentRecord>();
  readonly #stopping = new Set<string>();
  readonly #restarts = new Map<string, NodeJS.Timeout>();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #watch: PaneWatch;
  /** What tmux signals ends on: one for each daemon, so that none takes another's word. */
  readonly #channel: string;
  #closed = false;

  constructor(options: SupervisedAgentsOptions) {
    this.#options = options;
    this.server = options.server;
    this.#tmux = tmuxOn(options);
    this.#channel = `leo-${options.home.replace(/[^A-Za-z0-9]/g, '_')}`;
    const { server, env } = options;
    const look = () => void this.#inTurn(() => this.#look());
    this.#watch = new PaneWatch({ server, env, channel: this.#channel, look });
  }

  /** Those that run, and those of which the user has not heard the last. */
  get records(): readonly AgentRecord[] {
    return [...this.#records.values()];
  }

  /** Runs tmux on Leo's server. */
  get tmux(): Tmux {
    return this.#tmux;
  }

  paneOf(name: string): AgentPane | undefined {
    const record = this.#records.get(name);
    if (record?.life.state !== 'running' || this.#stopping.has(name)) return undefined;
    return { ...record.life.pane, harness: record.harness };
  }

  /** What the templates of the agents of a name deny it; as with the names themselves, case does not tell two apart. */
  deniedFor(name: string): readonly string[] {
    const folded = name.toLowerCase();
    const same = this.records.filter((record) => record.name.toLowerCase() === folded);
    return same.flatMap((record) => this.#template(record.template)?.denyTools ?? []);
  }

  /** Finds the agents of the daemon before: called once, before anything else. */
  async recover(): Promise<void> {
    for (const record of readRecords(this.#options.file, this.#options.log))
      this.#records.set(record.name, record);
    if (this.#records.size === 0) return;
    await this.#inTurn(() => this.#look());
    for (const { name, life } of this.records) {
      if (life.state === 'running') this.#options.started(name, life.since);
      if (life.state === 'restarting') this.#restartLater(name, life.at);
      if (life.state === 'exited' || life.state === 'lost')
        this.#options.log(`agent ${name}: ${life.detail}; start it again: leo agent spawn`);
    }
  }

  /**
   * Starts an agent.
   *
   * @param attached the names that agents of others have.
   * @throws {LeoError} `not_found` for the template, `name_conflict`, `invalid_request`, `unavailable`.
   */
  async spawn(request: SpawnRequest, attached: Iterable<string>): Promise<AgentRecord> {
    const template = this.#template(request.template);
    if (template === undefined) {
      const names = Object.keys(this.#options.templates());
      const there = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
      throw new LeoError(
        'not_found',
        `no template ${JSON.stringify(request.template)} in leo.yaml; ${there}`,
      );
    }
    const over = (life: AgentLife) => life.state === 'exited' || life.state === 'lost';
    const taken = [...attached, ...this.records.filter(({ life }) => !over(life)).map(({ name }) => name)];
    if (request.name !== undefined && isTaken(request.name, taken))
      throw new LeoError(
        'name_conflict',
        `an agent ${request.name} is running; give another --name, or none`,
      );
    const name = request.name ?? freeName(request.template, taken);
    const cwd = workFolder(request.cwd, template.workspace);
    // Another of the same name, in other case, may have ended.
    const before = this.records.find((one) => one.name.toLowerCase() === name.toLowerCase());
    const { harness } = template;
    const now = this.#now();
    const life: AgentLife = { state: 'starting' };
    if (before !== undefined) this.#records.delete(before.name);
    this.#put({
      name,
      template: request.template,
      harness,
      cwd,
      startedAt: now,
      restarts: 0,
      failures: 0,
      life,
    });
    try {
      const old = before?.life.state === 'exited' ? before.life.pane : undefined;
      return await this.#inTurn(() => this.#start(name, request.prompt, old));
    } catch (error) {
      this.#records.delete(name);
      if (before !== undefined) this.#records.set(before.name, before);
      this.#write();
      throw asLeoError(error, name);
    }
  }

  /**
   * Ends an agent and forgets it.
   *
   * @param name as it is in the records.
   * @throws {LeoError} `not_found`, `unavailable`.
   */
  async stop(name: string): Promise<void> {
    const record = this.#records.get(name);
    if (record === undefined || this.#stopping.has(name))
      throw new LeoError('not_found', `no agent ${JSON.stringify(name)} that Leo has started`);
    this.#stopping.add(name);
    clearTimeout(this.#restarts.get(name));
    this.#restarts.delete(name);
    try {
      const closed = await this.#inTurn(async () => {
        const pane = paneIn(this.#records.get(name)?.life);
        return pane === undefined ? undefined : await endPane(this.#tmux, pane);
      });
      if (this.#records.get(name)?.life.state === 'running') {
        // The process may have turned away from its terminal.
        if (closed !== undefined) await endProcess(closed.pid, () => lookForEnded(closed.serverPid));
        this.#options.ended(name);
      }
      this.#records.delete(name);
      this.#write();
    } catch (error) {
      throw asLeoError(error, name);
    } finally {
      this.#stopping.delete(name);
      this.#watchOrNot();
    }
  }

  /** Lets go of the agents, which run on. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    this.#watchOrNot();
  }

  /** Whole milliseconds: they are kept in a file. */
  #now(): number {
    return Math.floor(this.#options.clock());
  }

  #template(name: string): Template | undefined {
    const templates = this.#options.templates();
    return Object.hasOwn(templates, name) ? templates[name] : undefined;
  }

  #put(record: AgentRecord): AgentRecord {
    this.#records.set(record.name, record);
    this.#write();
    return record;
  }

  #write(): void {
    writeRecords(this.#options.file, this.#records.values());
  }

  /** Does something when everything before it is done. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #start(
    name: string,
    prompt: string | undefined,
    replaces: PaneIdentity | undefined,
  ): Promise<AgentRecord> {
    const record = this.#records.get(name);
    const template = record === undefined ? undefined : this.#template(record.template);
    if (record === undefined || template === undefined)
      throw new LeoError('not_found', `the template ${record?.template} is no longer in leo.yaml`);
    const { env, home, installation, folder } = this.#options;
    const { cwd } = record;
    const made = { agent: name, template, cwd, prompt, folder: join(folder, name), home, installation, env };
    const prepared = await prepareAgent(made);
    const pane = await makePane(this.#tmux, this.#channel, prepared, replaces).catch((error: unknown) => {
      // It removes itself once it runs; the prompt in it is not to outlast a start that fails.
      rmSync(prepared.script, { force: true });
      throw error;
    });
    const since = this.#now();
    const running = this.#put({ ...record, life: { state: 'running', pane, since } });
    this.#options.started(name, since);
    this.#watchOrNot();
    return running;
  }

  // What becomes of them

  /** Looks what has become of the agents that were running. */
  async #look(): Promise<void> {
    const open = this.records.filter(({ life }) => life.state === 'running' || life.state === 'starting');
    if (open.length === 0) return this.#watchOrNot();
    // Before tmux is asked: of one that ends in between, tmux has not said yet how, and wakes us to look again.
    const gone = new Set(
      open.flatMap(({ life }) =>
        life.state === 'running' && !isAlive(life.pane.pid) ? [life.pane.pid] : [],
      ),
    );
    let seen: Seen;
    try {
      seen = await seenPanes(this.#tmux);
    } catch (error) {
      // tmux is not there, or does not answer: nothing is known, so nothing is changed.
      this.#options.log(
        `warning: what the agents do is not known: ${error instanceof Error ? error.message : error}`,
      );
      return this.#watchOrNot();
    }
    const look: Look = { seen, wasAlive: (pid) => !gone.has(pid), now: this.#now() };
    for (const { name } of open) if (!this.#stopping.has(name)) this.#lookAt(name, look);
    this.#watchOrNot();
  }

  #lookAt(name: string, look: Look): void {
    const record = this.#records.get(name);
    if (record === undefined) return;
    const became = becomes(record, look, this.#template(record.template)?.restart ?? 'never');
    if (became.kind === 'unchanged') return;
    const { life } = this.#put(became.record);
    if (became.kind === 'known') return;
    this.#options.log(became.log);
    if (life.state === 'restarting') this.#restartLater(name, life.at);
    this.#options.ended(name);
  }

  #restartLater(name: string, at: number): void {
    clearTimeout(this.#restarts.get(name));
    const again = () => {
      this.#restarts.delete(name);
      void this.#inTurn(() => this.#restart(name));
    };
    this.#restarts.set(name, setTimeout(again, Math.max(0, at - this.#now())));
  }

  async #restart(name: string): Promise<void> {
    const record = this.#records.get(name);
    if (record?.life.state !== 'restarting' || this.#stopping.has(name) || this.#closed) return;
    const { detail, pane } = record.life;
    try {
      // The words of the spawn were given once: what they asked for may be half done.
      this.#put({ ...record, restarts: record.restarts + 1, life: { state: 'starting' } });
      await this.#start(name, undefined, pane);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log(`agent ${name} is not started again: ${why}`);
      const life: AgentLife = { state: 'exited', pane, detail: `${detail}; not started again: ${why}` };
      this.#put({ ...record, life });
    }
  }

  /** Waits on tmux while there is an agent to wait for. */
  #watchOrNot(): void {
    this.#watch.set(!this.#closed && this.records.some(({ life }) => life.state === 'running'));
  }
}

const words: Readonly<Partial<Record<TmuxFault, string>>> = {
  gone: 'the tmux server has gone in the middle',
};

/** An error that the caller is told; tmux's own are no faults of the daemon. */
function asLeoError(error: unknown, name: string): unknown {
  if (!(error instanceof TmuxError)) return error;
  if (/duplicate session/.test(error.message)) {
    return new LeoError(
      'name_conflict',
      `Leo's tmux server has a session ${name} already, which is not Leo's: end it, or give another --name`,
      { cause: error },
    );
  }
  return new LeoError('unavailable', words[error.fault] ?? error.message, { cause: error });
}
