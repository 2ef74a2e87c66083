import type { Console } from '../../console/console.js';
import type { Question } from '../../model/facts.js';
import { counted } from '../../model/words.js';
import { useKeptFocus } from './kept-focus.js';

/** What the person is told in passing; it stays until it is closed, unless all went well. */
export function Notices({ page }: { readonly page: Console }) {
  const list = useKeptFocus<HTMLDivElement>('.notice');
  return (
    <div class="notices" role="status" ref={list}>
      {page.local.notices.map(({ n, words, tone }) => (
        <p key={n} class={`notice ${tone}`}>
          <span tabIndex={-1}>{words}</span>
          <button
            type="button"
            class="plain"
            aria-label="Close this notice"
            onClick={() => page.closeNotice(n)}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

/** Says to those who listen that somebody asks. */
export function Announcements({ questions }: { readonly questions: readonly Question[] }) {
  const last = questions.at(-1);
  return (
    <p class="unseen" aria-live="polite">
      {last !== undefined && `${last.agent} asks. ${counted(questions.length, 'question')} to answer.`}
    </p>
  );
}
