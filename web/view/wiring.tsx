import { harnessTitles } from '../model/harnesses.js';
import { CopyLine } from './parts/copy-line.js';

/** The lines that make a harness use Leo. */
export function Wiring() {
  return (
    <section aria-labelledby="wiring">
      <h2 id="wiring">Wire a harness</h2>
      <p class="quiet">Copy a line into a terminal; then start the harness anew.</p>
      <ul class="rows">
        {Object.entries(harnessTitles).map(([name, title]) => (
          <li key={name}>
            <span class="name">{title}</span>
            <CopyLine line={`leo harness setup ${name}`} label={title} />
          </li>
        ))}
        <li>
          <span class="name">Any other</span>
          <CopyLine
            line="leo mcp-server"
            label="any other harness, as the command of an MCP server over stdio"
          />
        </li>
      </ul>
    </section>
  );
}
