import { useState } from 'preact/hooks';
import type { Console } from '../console/console.js';
import { draftOf, keepDraft } from '../console/kept.js';
import type { Question } from '../model/facts.js';
import { Age, useNow } from './parts/age.js';
import { ConfirmButton } from './parts/confirm-button.js';
import { useKeptFocus } from './parts/kept-focus.js';
import { Markdown } from './parts/markdown.js';
import { SendButton, TextBox } from './parts/text-box.js';

/** What agents ask, in the order in which they asked. */
export function Questions({ page }: { readonly page: Console }) {
  const { offering, questions } = page.state;
  const now = useNow();
  const list = useKeptFocus<HTMLElement>('.question');
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
      <h3 id={`${id}-agent`} tabIndex={-1}>
        <span class="agent">{agent}</span> asks
        <span class="quiet waits">
          {' '}
          and has waited <Age since={question.since} now={now} />
        </span>
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
              aria-disabled={sending}
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
        <TextBox
          id={`${id}-text`}
          label={choices.length > 0 ? 'Or in your own words' : 'Your answer'}
          text={text}
          sending={sending}
          write={write}
          send={send}
        />
        <div class="row">
          <SendButton label="Answer" sending={sending} text={text} />
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
