// Words that the doctor's lines are made of. Pure.

/** Permissions as people write them, as in 0600. */
export function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

/** A number of things. */
export function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}
