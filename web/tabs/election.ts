// Which tab of a browser holds the stream: decided here, done in tabs.ts. Pure.
//
// What must stay true:
// - Who has the lock leads, and nobody else. The browser gives the lock to one tab at a time, and to the next one
//   when a tab closes.
// - A tab that has the lock but does not answer (its browser has put it to sleep) loses it: a tab that a person
//   looks at asks now and then, and takes the lock by force when nothing comes back.
// - A tab that was robbed of the lock waits for it again.

/** How often a tab that is looked at asks whether the leader is there, and how long it waits. Milliseconds. */
export const askEveryMs = 10_000;
export const answerWithinMs = 5_000;

export interface Election {
  readonly role: 'waiting' | 'leading';
  /** When the leader was last heard, or this tab began to wait for one. */
  readonly heardAt: number;
  /** When it was asked, if it has not been heard since. */
  readonly askedAt: number | undefined;
}

export type ElectionEvent =
  | { readonly is: 'granted' }
  | { readonly is: 'robbed'; readonly at: number }
  /** Anything that only a leader sends. */
  | { readonly is: 'heard'; readonly at: number }
  /** From time to time, and when the tab comes to the front. */
  | { readonly is: 'tick'; readonly at: number; readonly visible: boolean };

export type ElectionDeed = 'lead' | 'follow' | 'ask' | 'rob';

export function startElection(at: number): Election {
  return { role: 'waiting', heardAt: at, askedAt: undefined };
}

/** The next state, and what is to be done about it. */
export function elect(
  election: Election,
  event: ElectionEvent,
): { readonly election: Election; readonly deed: ElectionDeed | undefined } {
  const leading = election.role === 'leading';
  switch (event.is) {
    case 'granted':
      return {
        election: { ...election, role: 'leading', askedAt: undefined },
        deed: leading ? undefined : 'lead',
      };
    case 'robbed':
      return {
        election: { role: 'waiting', heardAt: event.at, askedAt: undefined },
        deed: leading ? 'follow' : undefined,
      };
    case 'heard':
      return { election: { ...election, heardAt: event.at, askedAt: undefined }, deed: undefined };
    case 'tick': {
      const { askedAt, heardAt } = election;
      if (leading || !event.visible)
        return { election: { ...election, askedAt: undefined }, deed: undefined };
      if (askedAt !== undefined) {
        if (event.at - askedAt < answerWithinMs) return { election, deed: undefined };
        return { election: { ...election, heardAt: event.at, askedAt: undefined }, deed: 'rob' };
      }
      if (event.at - heardAt < askEveryMs) return { election, deed: undefined };
      return { election: { ...election, askedAt: event.at }, deed: 'ask' };
    }
  }
}
