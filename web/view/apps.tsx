import type { WireTool } from '../../lib/wire/tool.js';
import type { Group } from '../model/facts.js';
import { counted, shortId } from '../model/words.js';

/** The apps, what they offer, and how it is called. */
export function Apps({
  groups,
  own,
}: {
  readonly groups: readonly Group[];
  readonly own: string | undefined;
}) {
  const apps = new Map<string, Group[]>();
  for (const group of groups) apps.set(group.client_id, [...(apps.get(group.client_id) ?? []), group]);
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">Apps {apps.size > 0 && <span class="count">{apps.size}</span>}</h2>
      {apps.size === 0 && <p class="quiet">No app offers a tool.</p>}
      {[...apps].map(([client, offered]) => (
        <article key={client} class="app">
          <h3>
            {client === own ? (
              'This browser'
            ) : (
              <>
                app <code>{shortId(client)}</code>
              </>
            )}
            {offered.every(({ connected }) => !connected) && <span class="tag">away; may come back</span>}
          </h3>
          {offered.map(({ group, tools }) => (
            <div key={group}>
              <h4>
                {group} <span class="quiet">{counted(tools.length, 'tool')}</span>
              </h4>
              {tools.map((tool) => (
                <ToolRow key={tool.name} tool={tool} />
              ))}
            </div>
          ))}
        </article>
      ))}
    </section>
  );
}

function ToolRow({ tool }: { readonly tool: WireTool }) {
  const { name, description, timeout_s, input_schema } = tool;
  return (
    <details class="tool">
      <summary>
        <code>{name}</code>{' '}
        <span class="quiet">{timeout_s === 0 ? 'waits without limit' : `waits up to ${timeout_s} s`}</span>
      </summary>
      {description !== undefined && <p>{description}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{JSON.stringify(input_schema, null, 2)}</pre>
    </details>
  );
}
