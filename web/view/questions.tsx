import { useEffect, useRef, useState } from 'preact/hooks';
import type { Console } from '../console/console.js';
import { draftOf, keepDraft } from '../console/kept.js';
import type { Question } from '../model/facts.js';
import { Age, useNow } from './parts/age.js';
import { ConfirmButton } from './parts/confirm-button.js';
import { Markdown } from './parts/markdown.js';

/** What agents ask, in the order in which they asked. */
export function Questions({ page }: { readonly page: Console }) {
  const { offering, questions } = page.state;
  const now = useNow();
  const list = useRef<HTMLElement>(null);
  const count = useRef(questions.length);
  useEffect(() => {
    // The focus was on a card that is gone: it goes to what comes next, and never to the top of the page.
    if (questions.length < count.current && document.activeElement === document.body) {
      const next = list.current?.querySelector<HTMLElement>('.question button, .question textarea, h2');
      next?.focus();
    }
    count.current = questions.length;
  }, [questions.length]);
  return (
    <section aria-labelledby="questions" class="questions" ref={list}>
      <h2 id="questions" tabIndex={-1}>
        Questions {questions.length > 0 && <span class="count">{questions.length}</span>}
      </h2>
      {offering.is === 'off' && !page.answersHere && (
        <p class="quiet">
          Agents cannot ask you anything yet. Turn on “Answer agents here”, and they get the tools{' '}
          <code>ask_human</code> and <code>show_human</code>.
        </p>
      )}
      {offering.is === 'refused' && (
        <p class="trouble">
          This browser cannot answer agents: {offering.why}. It will try again when that changes.
        </p>
      )}
      {questions.length === 0 && offering.is === 'on' && (
        <p class="quiet">Nobody asks. Questions wait here until you answer.</p>
      )}
      {questions.map((question) => (
        <Card key={question.id} question={question} page={page} now={now} />
      ))}
    </section>
  );
}

interface CardProps {
  readonly question: Question;
  readonly page: Console;
  readonly now: number;
}

function Card({ question, page, now }: CardProps) {
  const { id, agent, choices } = question;
  const call = page.state.calls.get(id);
  const [text, setText] = useState(() => draftOf(id));
  const sending = page.local.sending.has(id);
  const write = (value: string) => {
    setText(value);
    keepDraft(id, value);
  };
  const send = () => {
    if (text.trim() !== '') void page.answer(question, text.trim());
  };
  return (
    <article class="question" aria-labelledby={`${id}-agent`} aria-busy={sending}>
      <h3 id={`${id}-agent`}>
        <span class="agent">{agent}</span> asks
        {call !== undefined && (
          <span class="quiet waits">
            {' '}
            and has waited <Age since={call.since} now={now} />
          </span>
        )}
      </h3>
      <Markdown text={question.question} />
      {choices.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a row of buttons, no fields
        <div class="choices" role="group" aria-label={`Answers to ${agent}`}>
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              class="choice"
              disabled={sending}
              onClick={() => void page.answer(question, choice)}
            >
              {choice}
            </button>
          ))}
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label for={`${id}-text`}>{choices.length > 0 ? 'Or in your own words' : 'Your answer'}</label>
        <textarea
          id={`${id}-text`}
          rows={2}
          value={text}
          disabled={sending}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            send();
          }}
        />
        <div class="row">
          <button type="submit" class="main" disabled={sending || text.trim() === ''}>
            {sending ? 'Sending…' : 'Answer'}
          </button>
          <span class="quiet keys">Ctrl or ⌘ and Enter</span>
          <ConfirmButton
            label="Decline"
            about={`the question of ${agent}`}
            question="Tell the agent that you do not answer?"
            yes="Decline"
            act={() => void page.decline(question)}
          />
        </div>
      </form>
    </article>
  );
}
