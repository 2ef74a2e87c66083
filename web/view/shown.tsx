import { useEffect, useState } from 'preact/hooks';
import { bytesOf } from '../human/image.js';
import type { Shown } from '../model/facts.js';
import { clock } from '../model/words.js';
import { useKeptFocus } from './parts/kept-focus.js';
import { Markdown } from './parts/markdown.js';

/** What agents have shown, the latest first. */
export function ShownList({
  shown,
  dismiss,
}: {
  readonly shown: readonly Shown[];
  readonly dismiss: (id: string) => void;
}) {
  const list = useKeptFocus<HTMLElement>('article');
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="shown" class="shown" ref={list}>
      <h2 id="shown" tabIndex={-1}>
        Shown to you <span class="count">{shown.length}</span>
      </h2>
      {shown.map(({ id, agent, at, title, markdown, image }) => (
        <article key={id} aria-labelledby={`${id}-title`}>
          <header>
            <h3 id={`${id}-title`} tabIndex={-1}>
              {title ?? `From ${agent}`}
            </h3>
            <span class="quiet">
              {agent}, {clock(at)}
            </span>
            <button
              type="button"
              class="plain"
              aria-label={`Dismiss ${title ?? `what ${agent} has shown`}`}
              onClick={() => dismiss(id)}
            >
              Dismiss
            </button>
          </header>
          {markdown !== undefined && <Markdown text={markdown} />}
          {image !== undefined && <Picture image={image} alt={title ?? `an image from ${agent}`} />}
        </article>
      ))}
    </section>
  );
}

function Picture({ image, alt }: { readonly image: NonNullable<Shown['image']>; readonly alt: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const bytes = bytesOf(image.data);
    if (bytes === undefined) return;
    const made = URL.createObjectURL(new Blob([bytes], { type: image.type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return url === undefined ? null : <img src={url} alt={alt} />;
}
