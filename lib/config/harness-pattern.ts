// How names of harnesses are matched: letter for letter, or by their beginning.

/** Whether a name in `clientInfo` is what a pattern says; a trailing `*` stands for any ending. */
export function isHarnessNamed(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
