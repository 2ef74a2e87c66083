// Types one message into one pane of Leo's tmux server, as a person would: pastes it, and presses Enter (design 9).
//
// What must stay true:
// - Nothing is typed into anything but an idle prompt of the agent itself. tmux compares pane, process and cursor with
//   what was read in the same command as it types, so that nothing comes between the look and the key.
// - Enter is a key of its own, pressed once the paste is on the screen, and only while no dialog is: Enter in a
//   permission dialog would grant it.
// - A message to a harness that works would meet its dialogs; it waits for the prompt instead, and is refused when
//   the prompt does not come.
// - The text goes to tmux by stdin and is in no argument; its buffer is deleted as it is pasted.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeoError } from '../../wire/errors.js';
import type { AgentPane } from '../agents/panes/pane.js';
import { type Tmux, TmuxError } from '../tmux/run-tmux.js';
import { type PaneReading, readPane } from './pane.js';
import { describeSight, type Screen, type Sight, sightOf } from './screen.js';

/** How long each step may take, in milliseconds. */
export interface Patience {
  /** For a busy harness to come back to its prompt. */
  readonly busyMs: number;
  /** For a screen that is nothing known, such as that of a harness which starts. */
  readonly unknownMs: number;
  /** That a prompt must have stood still: one that has just come up, or is drawn anew, may lose a part of a paste. */
  readonly settleMs: number;
  /** For the paste to be shown. */
  readonly landMs: number;
  /** For the prompt to be empty again after Enter. */
  readonly submitMs: number;
  /** Between two looks at the screen. */
  readonly lookMs: number;
}
export const ordinaryPatience: Patience = {
  busyMs: 20_000,
  unknownMs: 10_000,
  settleMs: 400,
  landMs: 10_000,
  submitMs: 10_000,
  lookMs: 60,
};

export interface Delivery {
  readonly tmux: Tmux;
  /** The agent's name, for the words of an error. */
  readonly agent: string;
  readonly pane: AgentPane;
  /** What is pasted; see message-text.ts. */
  readonly text: string;
  readonly patience?: Patience;
}

/** Whether the harness was seen to take the message. */
export type Submitted = true | 'unconfirmed';

/**
 * Delivers a message.
 *
 * @throws {LeoError} `not_deliverable`, with what was seen.
 */
export async function deliver(delivery: Delivery): Promise<Submitted> {
  try {
    return await new OnePane({ patience: ordinaryPatience, ...delivery }).deliver();
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    const { agent } = delivery;
    const why = error.fault === 'not_found' ? `the pane of the agent ${agent} is gone` : error.message;
    throw new LeoError('not_deliverable', `${why}; see the agents with: leo agent list`, { cause: error });
  }
}

/** How long a paste must have stood still before Enter, where nothing on the screen says that it has landed. */
const stillMs = 600;
/** After this long with the message still in the prompt, Enter is pressed once more: some take one for a newline. */
const againMs = 1200;
/** How often Enter is pressed at most: one that starts reads its keys late, and all of them. */
const maxEnters = 3;

class OnePane {
  constructor(private readonly options: Delivery & { readonly patience: Patience }) {}

  async deliver(): Promise<Submitted> {
    const before = await this.#paste();
    const landed = await this.#landed(before);
    return landed === undefined ? 'unconfirmed' : await this.#submit(landed);
  }

  /** Waits for an idle, empty prompt. */
  async #idlePrompt(): Promise<PaneReading> {
    const { patience } = this.options;
    const start = Date.now();
    let since = start;
    let last: Screen | undefined;
    for (;;) {
      const reading = await this.#read();
      const sight = this.#sight(reading);
      const now = Date.now();
      const ready = !reading.inMode && sight.kind === 'idle' && !sight.draft;
      // By the cursor and not by the rows: one of them draws pictures while it waits.
      if (!ready || last === undefined || !isCursorSame(last, reading.screen)) since = now;
      last = reading.screen;
      if (ready && now - since >= patience.settleMs) return reading;
      const limit = ready || reading.inMode ? patience.busyMs : this.#patienceWith(sight);
      if (now - start >= limit) throw this.#refusal(reading, sight);
      if (reading.inMode) await this.#leaveMode();
      await sleep(patience.lookMs);
    }
  }

  /** How long a screen may stay what it is before the message is refused, in milliseconds. */
  #patienceWith({ kind }: Sight): number {
    const { busyMs, unknownMs } = this.options.patience;
    if (kind === 'busy') return busyMs;
    // What starts a harness is a shell for a moment.
    return kind === 'unknown' ? unknownMs : kind === 'shell' ? Math.min(unknownMs, 500) : 0;
  }

  /** Pastes the text into an idle prompt, and gives what was there before. */
  async #paste(): Promise<PaneReading> {
    const { tmux, pane } = this.options;
    const buffer = `leo-${randomBytes(8).toString('hex')}`;
    await tmux(['load-buffer', '-b', buffer, '-'], this.#pasted());
    try {
      for (let look = 0; look < 20; look += 1) {
        const before = await this.#idlePrompt();
        // -p: between the marks of a paste, where the program has asked for them; -r: newlines as they are.
        const command = `paste-buffer -p -r -d -b ${buffer} -t ${pane.paneId}`;
        if (await this.#typeIfSame(before, command)) return before;
      }
    } catch (error) {
      await tmux(['delete-buffer', '-b', buffer]).catch(() => undefined);
      throw error;
    }
    await tmux(['delete-buffer', '-b', buffer]);
    const { agent } = this.options;
    throw new LeoError(
      'not_deliverable',
      `the screen of the agent ${agent} does not stand still; nothing was typed`,
    );
  }

  /** To a harness, Enter behind a backslash is a newline in its place. They take a space off the end. */
  #pasted(): string {
    const { text, pane } = this.options;
    return pane.harness !== 'custom' && text.endsWith('\\') ? `${text} ` : text;
  }

  /** The screen with the paste on it; undefined where nothing of it is shown in time. */
  async #landed(before: PaneReading): Promise<PaneReading | undefined> {
    const { patience, text } = this.options;
    const start = Date.now();
    let last = before;
    let since = start;
    for (;;) {
      await sleep(patience.lookMs);
      const reading = await this.#readable(before);
      const now = Date.now();
      if (!isSame(reading.screen, last.screen)) since = now;
      else if (!isSame(reading.screen, before.screen)) {
        const still = now - since;
        if (still >= (showsEnd(reading.screen, text) ? patience.lookMs : stillMs)) return reading;
      }
      last = reading;
      // A screen that is never still, with a clock in it, has taken the paste all the same.
      if (now - start >= patience.landMs) return isSame(reading.screen, before.screen) ? undefined : reading;
    }
  }

  async #submit(landed: PaneReading): Promise<Submitted> {
    const { patience } = this.options;
    const start = Date.now();
    let enters = 0;
    let pressedAt = 0;
    const press = async (reading: PaneReading) => {
      if (!(await this.#enter(reading))) return;
      enters += 1;
      pressedAt = Date.now();
    };
    await press(landed);
    while (Date.now() - start < patience.submitMs) {
      await sleep(patience.lookMs);
      if (enters === 0) {
        await press(await this.#readable(landed));
        continue;
      }
      const reading = await this.#read();
      const sight = this.#sight(reading);
      if (sight.kind === 'shell' || sight.kind === 'ended') return 'unconfirmed';
      if (sight.kind === 'idle' ? !sight.draft : sight.kind !== 'unknown') return true;
      const again = sight.kind === 'idle' && enters < maxEnters && Date.now() - pressedAt >= againMs;
      if (again) await press(reading);
    }
    return 'unconfirmed';
  }

  /** Presses Enter if nothing has changed since the screen was read; says whether it did. */
  async #enter(reading: PaneReading): Promise<boolean> {
    if (reading.inMode) await this.#leaveMode();
    return await this.#typeIfSame(reading, `send-keys -t ${this.options.pane.paneId} Enter`);
  }

  /** Reads the pane, and makes sure that text which stands in it may still be sent off. */
  async #readable(before: PaneReading): Promise<PaneReading> {
    const reading = await this.#read();
    const sight = this.#sight(reading);
    const other = reading.screen.command !== before.screen.command;
    if (other || (sight.kind !== 'idle' && sight.kind !== 'busy' && sight.kind !== 'unknown'))
      throw this.#refusal(reading, sight, 'the text was pasted, and not submitted');
    return reading;
  }

  /** Reads the pane, and makes sure that it is still the agent's. */
  async #read(): Promise<PaneReading> {
    const { tmux, agent, pane } = this.options;
    const reading = await readPane(tmux, pane.paneId);
    if (reading.pid !== pane.pid || reading.serverStart !== pane.serverStart)
      throw new LeoError(
        'not_deliverable',
        `the agent ${agent} has ended, and its pane is another's now; see the agents with: leo agent list`,
      );
    return reading;
  }

  #sight(reading: PaneReading): Sight {
    return sightOf(reading.screen, this.options.pane.harness);
  }

  async #leaveMode(): Promise<void> {
    await this.options.tmux(['copy-mode', '-q', '-t', this.options.pane.paneId]);
  }

  /** Runs a command of tmux if the pane is as it was read; says whether it did. */
  async #typeIfSame({ screen }: PaneReading, command: string): Promise<boolean> {
    const { tmux, pane } = this.options;
    const { cursor } = screen;
    const format = '#{pane_pid} #{start_time} #{pane_dead} #{pane_in_mode} #{cursor_x} #{cursor_y}';
    const same = `#{==:${format},${pane.pid} ${pane.serverStart} 0 0 ${cursor.x} ${cursor.y}}`;
    const otherwise = 'display-message -p changed';
    return (await tmux(['if-shell', '-F', '-t', pane.paneId, same, command, otherwise])) === '';
  }

  #refusal({ screen }: PaneReading, sight: Sight, rest = 'nothing was typed'): LeoError {
    const seen = describeSight(sight, screen.command);
    return new LeoError(
      'not_deliverable',
      `the agent ${this.options.agent} ${seen}; ${rest}. Look at it: leo agent attach ${this.options.agent}`,
    );
  }
}

function isCursorSame(a: Screen, b: Screen): boolean {
  return a.cursor.x === b.cursor.x && a.cursor.y === b.cursor.y;
}

function isSame(a: Screen, b: Screen): boolean {
  return isCursorSame(a, b) && a.rows.length === b.rows.length && a.rows.every((row, y) => row === b.rows[y]);
}

/** Whether the end of a text is on the screen, or what a harness shows instead of a long one. */
function showsEnd(screen: Screen, text: string): boolean {
  const squeeze = (words: string) => words.replace(/[\s│┃]+/g, '');
  const end = squeeze(text.slice(-200)).slice(-16);
  return squeeze(screen.rows.join('')).includes(end) || screen.rows.some((row) => /\[Paste/i.test(row));
}
