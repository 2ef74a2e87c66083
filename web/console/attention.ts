// How a tab that nobody looks at says that somebody is asked: its title, and a notification where that is allowed.
// Permission is asked for by a button, never at load.

import type { Question } from '../model/facts.js';
import { title } from '../model/words.js';
import type { Console } from './console.js';

/** Whether notifications are there, and allowed. */
export function notificationState(): 'granted' | 'denied' | 'default' | 'absent' {
  return 'Notification' in globalThis && isSecureContext ? Notification.permission : 'absent';
}

export async function askForNotifications(): Promise<void> {
  await Notification.requestPermission();
}

/** Keeps the title, and notifies of new questions. Not bound to frames: a hidden tab has none. */
export function keepAttention(page: Console): void {
  let known: readonly Question[] = [];
  page.watch(() => {
    const { questions } = page.state;
    if (questions === known) return;
    const before = new Set(known.map(({ id }) => id));
    known = questions;
    document.title = title(questions.length);
    for (const question of questions) if (!before.has(question.id)) notify(question);
  });
}

/** Whether somebody works in this tab; one that can be seen beside a terminal is not looked at. */
function isInFront(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function notify({ id, agent, question }: Question): void {
  if (notificationState() !== 'granted' || isInFront()) return;
  try {
    // With a tag, all tabs together show one.
    const shown = new Notification(`${agent} asks`, { body: question.slice(0, 200), tag: `leo.${id}` });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some browsers (on phones) allow this to service workers only; the title counts all the same.
  }
}
