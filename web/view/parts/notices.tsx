import type { Console } from '../../console/console.js';
import type { Question } from '../../model/facts.js';
import { counted } from '../../model/words.js';

/** What the person is told in passing; it stays until it is closed, unless all went well. */
export function Notices({ page }: { readonly page: Console }) {
  return (
    <div class="notices" role="status">
      {page.local.notices.map(({ n, words, tone }) => (
        <p key={n} class={`notice ${tone}`}>
          <span>{words}</span>
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
