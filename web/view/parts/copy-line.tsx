import { useState } from 'preact/hooks';

/** A line to be typed into a terminal, with a button that copies it. */
export function CopyLine({ line, label }: { readonly line: string; readonly label: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      setSaid('copied');
    } catch {
      // Not over plain HTTP from another machine: there it is marked and copied by hand.
      setSaid('select it and copy it');
    }
    setTimeout(() => setSaid(undefined), 4000);
  };
  return (
    <div class="copy">
      <code>{line}</code>
      <button
        type="button"
        class="plain"
        aria-label={`Copy the line for ${label}`}
        onClick={() => void copy()}
      >
        Copy
      </button>
      <span class="quiet" role="status">
        {said}
      </span>
    </div>
  );
}
