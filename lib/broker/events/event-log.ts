// The event log (design 5): gives every event its number, writes it once in full and once redacted, and keeps
// the last ones for readers that come back.
//
// What must stay true: `seq` has no gap, for any reader; a redacted frame holds nothing but the keys that
// lib/wire/events.ts names as public; what is kept is bounded in events and in bytes.

import { type BrokerEvent, eventData, publicKeys } from '../../wire/events.js';
import type { JsonObject } from '../../wire/json.js';

/** One event as it goes over a stream; redacted when the first reader asks for it, as often nobody does. */
export class Frame {
  #redacted: string | undefined;

  constructor(
    readonly seq: number,
    readonly full: string,
    readonly redact: () => string,
  ) {}

  get redacted(): string {
    this.#redacted ??= this.redact();
    return this.#redacted;
  }
}

const maxKept = 1024;
const maxKeptChars = 1024 * 1024;

export class EventLog {
  #seq = 0;
  #frames: Frame[] = [];
  /** How many frames at the front no longer count as kept. */
  #dropped = 0;
  #keptChars = 0;

  /** @param epoch names this run of the daemon; a new one each time it starts. */
  constructor(readonly epoch: string) {}

  /** The number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** Numbers and writes an event. */
  append(event: BrokerEvent): Frame {
    const seq = ++this.#seq;
    const data = eventData(event);
    const { type } = event;
    const full = this.frame(type, seq, { seq, ...data });
    const shown = publicKeys[type];
    const redact = () =>
      this.frame(type, seq, { seq, ...Object.fromEntries(shown.map((key) => [key, data[key] ?? null])) });
    const frame = new Frame(seq, full, redact);
    this.#keep(frame);
    return frame;
  }

  /** One event in the form of `text/event-stream`. */
  frame(type: string, seq: number, data: JsonObject): string {
    return `id: ${this.epoch}-${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /**
   * The frames that a reader has missed.
   *
   * @param lastEventId the `Last-Event-ID` that it sent.
   * @returns undefined when it is not of this epoch, nonsense, or older than what is kept: send a `hello`.
   */
  since(lastEventId: string | undefined): readonly Frame[] | undefined {
    const match = /^([A-Za-z0-9]+)-(\d{1,15})$/.exec(lastEventId ?? '');
    if (match === null || match[1] !== this.epoch) return undefined;
    const seen = Number(match[2]);
    const oldest = this.#frames[this.#dropped]?.seq ?? this.#seq + 1;
    if (seen > this.#seq || seen < oldest - 1) return undefined;
    return this.#frames.slice(this.#dropped + seen - oldest + 1);
  }

  #keep(frame: Frame): void {
    this.#frames.push(frame);
    this.#keptChars += frame.full.length;
    while (this.#frames.length - this.#dropped > maxKept || this.#keptChars > maxKeptChars) {
      const oldest = this.#frames[this.#dropped];
      if (oldest === undefined) break;
      this.#dropped++;
      this.#keptChars -= oldest.full.length;
    }
    // The dropped ones are cut off in batches: moving the rest costs more than a few dead entries.
    if (this.#dropped < 256 && this.#dropped < this.#frames.length) return;
    this.#frames = this.#frames.slice(this.#dropped);
    this.#dropped = 0;
  }
}
