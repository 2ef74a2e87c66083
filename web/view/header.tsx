import { useState } from 'preact/hooks';
import { askForNotifications, notificationState } from '../console/attention.js';
import type { Console } from '../console/console.js';
import { counted } from '../model/words.js';
import { ConfirmButton } from './parts/confirm-button.js';

/** Who is here, whether this browser answers, and the way out. */
export function Header({ page }: { readonly page: Console }) {
  const { link, agents, calls } = page.state;
  const status = link.is === 'live' ? 'live' : link.is === 'lost' ? 'not answering' : 'connecting';
  return (
    <header class="top">
      <h1>Leo</h1>
      <p class={`link ${link.is}`}>
        <span class="dot" aria-hidden="true" />
        {status}
        {link.is === 'live' && (
          <span class="quiet">
            {' '}
            {counted(agents.length, 'agent')}, {counted(calls.size, 'open call')}
          </span>
        )}
      </p>
      <div class="controls">
        <Notifications />
        <Switch page={page} />
        <SignOut page={page} />
      </div>
    </header>
  );
}

function Switch({ page }: { readonly page: Console }) {
  const on = page.answersHere;
  const { questions } = page.state;
  if (on && questions.length > 0) {
    // Turning it off ends what waits, so it is asked for once more.
    return (
      <ConfirmButton
        label="Answer agents here"
        question={`${counted(questions.length, 'question')} will go unanswered. Stop?`}
        yes="Stop answering"
        act={() => page.turnAnswering(false)}
        role="switch"
      />
    );
  }
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      class="switch"
      onClick={() => page.turnAnswering(!on)}
    >
      <span class="track" aria-hidden="true" />
      Answer agents here
    </button>
  );
}

function SignOut({ page }: { readonly page: Console }) {
  const { questions } = page.state;
  if (questions.length > 0) {
    // As with the switch: who is signed out answers no more.
    return (
      <ConfirmButton
        label="Sign out"
        question={`${counted(questions.length, 'question')} will go unanswered. Sign out?`}
        yes="Sign out"
        act={() => void page.signOut()}
      />
    );
  }
  return (
    <button type="button" class="plain" onClick={() => void page.signOut()}>
      Sign out
    </button>
  );
}

function Notifications() {
  const [state, setState] = useState(notificationState);
  if (state !== 'default') return null;
  return (
    <button
      type="button"
      class="plain"
      onClick={() => void askForNotifications().finally(() => setState(notificationState()))}
    >
      Notify me
    </button>
  );
}
