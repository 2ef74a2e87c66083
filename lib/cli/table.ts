// Text for people's terminals: tables, durations, and nothing that a terminal would obey. Pure.

/**
 * A text on one line, without control characters: what an app or an agent wrote must not move the cursor,
 * colour the screen or ring the bell.
 */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/** A text of several lines without what a terminal would obey; newlines and tabs stay. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** Cuts a text to a number of characters, with an ellipsis where something was cut. */
export function cut(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/**
 * A table with a head: columns are as wide as their widest cell, and the last takes what the line has left.
 *
 * @param width characters in a line; 0 for no limit.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], width = 0): string {
  const lines = [head, ...rows.map((row) => row.map(oneLine))];
  const last = head.length - 1;
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => Array.from(line[column] ?? '').length)),
  );
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + 2, 0);
  const room = width === 0 ? Number.POSITIVE_INFINITY : Math.max(20, width - before);
  return lines
    .map((line) =>
      head
        .map((_, column) => {
          const cell = line[column] ?? '';
          if (column === last) return cut(cell, room);
          return cell + ' '.repeat((widths[column] ?? 0) - Array.from(cell).length);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A length of time in at most two units: `0 s`, `59 s`, `2 m 5 s`, `3 h 20 m`, `4 d 1 h`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'm'],
    [1, 's'],
  ];
  const first = units.findIndex(([size]) => whole >= size);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .map(([size, unit], index) => [
      Math.floor((index === 0 ? whole : whole % (units[first]?.[0] ?? 1)) / size),
      unit,
    ])
    .filter(([count], index) => index === 0 || count !== 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
