// What the relay and the probe say to each other over their socket: one JSON object a line.

/** From the relay, the process that the harness takes for its MCP server. */
export type RelayReport =
  | {
      readonly kind: 'hello';
      readonly pid: number;
      readonly cwd: string;
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'stdin-end' }
  | { readonly kind: 'signal'; readonly name: string }
  | { readonly kind: 'orphaned' }
  /** It ends by itself; an end without this was somebody's SIGKILL. */
  | { readonly kind: 'exit' };

/** To the relay: a line for the harness. */
export interface RelayOrder {
  readonly text: string;
}

/** The parts of a stream of lines: whole lines, and what is left over. Pure. */
export function splitLines(held: string, chunk: string): { lines: readonly string[]; rest: string } {
  const parts = (held + chunk).split('\n');
  const rest = parts.pop() ?? '';
  return { lines: parts.filter((line) => line.trim() !== ''), rest };
}
