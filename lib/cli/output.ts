// Where commands write. People get lines, machines get one JSON value with `--json`.

/** Writes lines to stdout. */
export function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Writes one JSON value to stdout. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Characters in a line of the terminal; 0, no limit, where stdout is none. */
export function lineWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : 0;
}
