import { useState } from 'preact/hooks';
import type { Console } from '../console/console.js';
import type { Agent } from '../model/facts.js';
import { modeWords } from '../model/words.js';
import { Age, useNow } from './parts/age.js';
import { useKeptFocus } from './parts/kept-focus.js';
import { SendButton, TextBox } from './parts/text-box.js';

/** Who works on this machine. */
export function Agents({ page, agents }: { readonly page: Console; readonly agents: readonly Agent[] }) {
  const now = useNow();
  const list = useKeptFocus<HTMLElement>('li');
  return (
    <section aria-labelledby="agents" ref={list}>
      <h2 id="agents" tabIndex={-1}>
        Agents {agents.length > 0 && <span class="count">{agents.length}</span>}
      </h2>
      {agents.length === 0 && (
        <p class="quiet">
          No agent is here. Run the line for your harness under “Wire a harness”, and start it: it appears
          with its first request.
        </p>
      )}
      <ul class="rows">
        {agents.map((agent) => (
          <Row key={agent.name} agent={agent} page={page} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Row({ agent, page, now }: { readonly agent: Agent; readonly page: Console; readonly now: number }) {
  const [writes, setWrites] = useState(false);
  const { name, harness, kind, supervised } = agent;
  const ran = supervised?.state === 'running' ? undefined : supervised?.state;
  return (
    <li>
      <div class="row">
        <span class="agent">{name}</span>
        <span>{harness ?? supervised?.harness ?? 'harness not known yet'}</span>
        <span class="quiet">
          {modeWords(agent)}, {kind === 'supervised' ? 'started by Leo' : 'attached'},{' '}
          <Age since={agent.since} now={now} />
        </span>
        {ran !== undefined && (
          <span class="tag">
            {ran}
            {supervised?.detail ? `: ${supervised.detail}` : ''}
          </span>
        )}
        <button
          type="button"
          class="plain"
          aria-expanded={writes}
          aria-label={`Message ${name}`}
          onClick={() => setWrites(!writes)}
        >
          Message
        </button>
      </div>
      {writes && <MessageForm agent={name} page={page} />}
    </li>
  );
}

function MessageForm({ agent, page }: { readonly agent: string; readonly page: Console }) {
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<{ readonly ok: boolean; readonly words: string }>();
  const send = async () => {
    setSending(true);
    setSaid(undefined);
    const outcome = await page.message(agent, text);
    setSending(false);
    setSaid(outcome);
    // What did not arrive is kept, to be sent again.
    if (outcome.ok) setText('');
  };
  const submit = () => {
    if (text.trim() !== '' && !sending) void send();
  };
  return (
    <form
      class="message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextBox
        id={`message-${agent}`}
        label={`Text for the prompt of ${agent}`}
        text={text}
        sending={sending}
        write={setText}
        send={submit}
      />
      <div class="row">
        <SendButton label="Send" sending={sending} text={text} />
        <span role="status" class={said?.ok === false ? 'trouble' : 'fine'}>
          {said?.words}
        </span>
      </div>
    </form>
  );
}
