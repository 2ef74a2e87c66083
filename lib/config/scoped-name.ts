// The names of scoped clients and of devices (design 10). They become names of files and stand in front of messages,
// so they are few characters, never a path, and the same on a system that folds case.

/** The form of a client's or a device's name. */
export const scopedNamePattern = '^[a-z][a-z0-9_-]{0,62}$';
/** Names that would be taken for somebody else's in front of a client's message. */
const taken: ReadonlySet<string> = new Set(['agent', 'console', 'leo', 'operator']);

/**
 * What is wrong with a name, for people; undefined for one that can be used.
 *
 * @param what `client` or `device`.
 */
export function scopedNameFault(what: 'client' | 'device', name: string): string | undefined {
  if (!new RegExp(scopedNamePattern).test(name)) {
    return `${JSON.stringify(name)} is no name for a ${what}: 1 to 63 of a-z, 0-9, _ and -, the first of them a letter`;
  }
  if (what === 'client' && taken.has(name)) return `"${name}" is no name for a ${what}: Leo uses it itself`;
  return undefined;
}
