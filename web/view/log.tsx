import { useMemo, useState } from 'preact/hooks';
import type { LogLine } from '../model/facts.js';
import { clock, lineWords } from '../model/words.js';

/** What has happened, the latest first; it can be held, to be read. */
export function Log({ lines }: { readonly lines: readonly LogLine[] }) {
  const [held, setHeld] = useState<readonly LogLine[]>();
  const seen = held ?? lines;
  const rows = [...seen].reverse();
  return (
    <section aria-labelledby="log" class="log">
      <h2 id="log">Events</h2>
      <button
        type="button"
        class="plain"
        aria-pressed={held !== undefined}
        onClick={() => setHeld(held === undefined ? lines : undefined)}
      >
        {held === undefined ? 'Hold' : 'Go on'}
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <ol tabIndex={0} aria-label="Events, the latest first">
        {rows.map((line) => (
          <Line key={line.n} line={line} />
        ))}
      </ol>
    </section>
  );
}

/** A line never changes, so its elements are made once. */
function Line({ line }: { readonly line: LogLine }) {
  return useMemo(
    () => (
      <li>
        <time dateTime={new Date(line.at).toISOString()}>{clock(line.at)}</time> {lineWords(line)}
      </li>
    ),
    [line],
  );
}
