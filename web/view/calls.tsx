import type { Console } from '../console/console.js';
import type { OpenCall } from '../model/facts.js';
import { mostCalls } from '../model/reduce.js';
import { age, counted, shortId } from '../model/words.js';
import { Age, useNow } from './parts/age.js';
import { ConfirmButton } from './parts/confirm-button.js';
import { useKeptFocus } from './parts/kept-focus.js';

/** More rows than these are counted and not drawn. */
const mostRows = 50;

/** The calls that wait, the oldest first. */
export function Calls({
  page,
  calls,
}: {
  readonly page: Console;
  readonly calls: ReadonlyMap<string, OpenCall>;
}) {
  const now = useNow();
  const list = useKeptFocus<HTMLElement>('li');
  const rows: OpenCall[] = [];
  for (const call of calls.values()) {
    rows.push(call);
    if (rows.length >= mostRows) break;
  }
  const count = calls.size >= mostCalls ? `${mostCalls} or more` : String(calls.size);
  return (
    <section aria-labelledby="calls" ref={list}>
      <h2 id="calls" tabIndex={-1}>
        Open calls {calls.size > 0 && <span class="count">{count}</span>}
      </h2>
      {calls.size === 0 && <p class="quiet">No call waits for an app.</p>}
      <ul class="rows">
        {rows.map((call) => (
          <Row key={call.id} call={call} page={page} now={now} />
        ))}
      </ul>
      {calls.size > rows.length && (
        <p class="quiet">
          {counted(calls.size - rows.length, 'more call')}; <code>leo calls</code> lists them all.
        </p>
      )}
    </section>
  );
}

function Row({ call, page, now }: { readonly call: OpenCall; readonly page: Console; readonly now: number }) {
  const { id, agent, tool, group, state, since, deadline } = call;
  const cancel = async () => {
    const failed = await page.cancel(id);
    if (failed === undefined) page.notify(`The call of ${tool} was cancelled; ${agent} was told.`, 'good');
    else page.notify(`The call was not cancelled: ${failed}`, 'bad');
  };
  return (
    <li>
      <div class="row">
        <code>{tool === '' ? shortId(id) : tool}</code>
        <span class="agent">{agent}</span>
        <span class={`tag ${state}`}>{state === 'claimed' ? 'taken by an app' : 'waits for an app'}</span>
        <span class="quiet">
          {group !== '' && `${group}, `}
          <Age since={since} now={now} />,{' '}
          {deadline === undefined ? 'no limit' : `${age(deadline - now)} left`}
        </span>
        <ConfirmButton
          label="Cancel"
          about={`the call of ${tool} by ${agent}`}
          question="End this call for its agent?"
          yes="Cancel the call"
          act={() => void cancel()}
        />
      </div>
    </li>
  );
}
