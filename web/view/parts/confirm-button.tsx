import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** What it is about, for those who do not see what stands beside it. */
  readonly about?: string;
  readonly question: string;
  readonly yes: string;
  readonly act: () => void;
  /** Looks like the switch that it turns off. */
  readonly role?: 'switch';
}

/** A button that asks once before it does something that cannot be undone. */
export function ConfirmButton({ label, about, question, yes, act, role }: Props) {
  const [asks, setAsks] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const opened = useRef(false);
  useEffect(() => {
    if (asks) first.current?.focus();
    else if (opened.current) opener.current?.focus();
    opened.current = asks;
  }, [asks]);
  if (!asks) {
    return (
      <button
        ref={opener}
        type="button"
        class={role === 'switch' ? 'switch' : 'plain'}
        {...(role === 'switch' ? { role, 'aria-checked': true } : {})}
        aria-label={about === undefined ? undefined : `${label} ${about}`}
        onClick={() => setAsks(true)}
      >
        {role === 'switch' && <span class="track" aria-hidden="true" />}
        {label}
      </button>
    );
  }
  const close = () => setAsks(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a box of its own in a line of text
    <span
      class="confirm"
      role="group"
      aria-label={question}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <span>{question}</span>
      <button
        ref={first}
        type="button"
        class="danger"
        onClick={() => {
          close();
          act();
        }}
      >
        {yes}
      </button>
      <button type="button" class="plain" onClick={close}>
        Keep
      </button>
    </span>
  );
}
