// What the browser keeps for the page. What agents wrote and what a person has begun to write stays with the tab
// (sessionStorage) and goes when it is closed; only the switch and the name of this browser stay for longer.

import { parsed } from '../model/decode.js';
import type { Shown } from '../model/facts.js';

const switchPlace = 'leo.answers';
const keyPlace = 'leo.client-key';
const shownPlace = 'leo.shown';
const draftPlace = (id: string) => `leo.draft.${id}`;

/** Whether this browser answers agents. */
export function answersHere(): boolean {
  return localStorage.getItem(switchPlace) === 'yes';
}

export function setAnswersHere(on: boolean): void {
  localStorage.setItem(switchPlace, on ? 'yes' : 'no');
}

/** Is told when another tab has turned the switch. */
export function onSwitchElsewhere(told: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === switchPlace) told();
  });
}

/** Under which this browser's questions wait for it; of this tab alone where tabs cannot share a stream. */
export function clientKey(shared: boolean): string {
  const storage = shared ? localStorage : sessionStorage;
  const kept = storage.getItem(keyPlace);
  if (kept !== null) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const fresh = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  storage.setItem(keyPlace, fresh);
  return fresh;
}

export function draftOf(id: string): string {
  return sessionStorage.getItem(draftPlace(id)) ?? '';
}

export function keepDraft(id: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftPlace(id));
  else attempt(() => sessionStorage.setItem(draftPlace(id), text));
}

/** What agents have shown before this page was loaded again. */
export function keptShown(): readonly Shown[] {
  const kept = parsed(sessionStorage.getItem(shownPlace) ?? '[]');
  // Written by `keepShown` and by nobody else.
  return Array.isArray(kept) ? kept : [];
}

export function keepShown(shown: readonly Shown[]): void {
  // The room is small: pictures go first, the oldest before the others.
  for (let left = shown.length; left >= 0; left--) {
    const fitting = shown.map((each, index) => (index < left ? each : { ...each, image: undefined }));
    if (attempt(() => sessionStorage.setItem(shownPlace, JSON.stringify(fitting)))) return;
  }
}

/** Forgets what agents wrote and what was written for them. */
export function forgetWritten(): void {
  sessionStorage.clear();
}

/** A full storage is no reason to stop. */
function attempt(what: () => void): boolean {
  try {
    what();
    return true;
  } catch {
    return false;
  }
}
