interface Props {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly sending: boolean;
  readonly write: (text: string) => void;
  readonly send: () => void;
}

/** A box to write in; Ctrl or ⌘ and Enter send what stands in it. */
export function TextBox({ id, label, text, sending, write, send }: Props) {
  return (
    <>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        value={text}
        // And not disabled, here and on the buttons beside it: that would take the focus away.
        readOnly={sending}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          send();
        }}
      />
    </>
  );
}

/** The button that sends it, and how it is done by keys. */
export function SendButton({ label, sending, text }: Pick<Props, 'label' | 'sending' | 'text'>) {
  return (
    <>
      <button type="submit" class="main" aria-disabled={sending || text.trim() === ''}>
        {sending ? 'Sending…' : label}
      </button>
      <span class="quiet keys">Ctrl or ⌘ and Enter</span>
    </>
  );
}
