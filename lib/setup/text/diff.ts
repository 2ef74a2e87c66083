// A small unified diff of one file. Pure. An edit of ours is in one place, so one hunk tells it: what is the same
// at the beginning and at the end is left out, but for three lines.

const around = 3;

/** The lines that say what changes; null is no file. */
export function unifiedDiff(path: string, before: string | null, after: string | null): readonly string[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let same = 0;
  while (
    same < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - same] === now[now.length - 1 - same]
  )
    same++;
  const from = Math.max(0, start - around);
  const behind = Math.min(around, same);
  const removed = old.slice(start, old.length - same);
  const added = now.slice(start, now.length - same);
  if (removed.length + added.length === 0) return [];
  const kept = old.slice(from, start);
  const rest = old.slice(old.length - same, old.length - same + behind);
  const range = (lines: readonly string[], changed: number) => {
    const count = kept.length + changed + rest.length;
    return `${lines.length === 0 ? 0 : from + 1},${count}`;
  };
  return [
    `--- ${before === null ? '/dev/null' : path}`,
    `+++ ${after === null ? '/dev/null' : path}`,
    `@@ -${range(old, removed.length)} +${range(now, added.length)} @@`,
    ...kept.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...rest.map((line) => ` ${line}`),
  ];
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return /\n$/.test(text) ? lines : [...lines.slice(0, -1), `${lines.at(-1)} (no newline at the end)`];
}
