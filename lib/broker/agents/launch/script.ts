// The shell script that a pane runs. tmux takes 16 KB of arguments at most and reads a `;` at the end of one as its
// own, so the command line goes by a file. Pure.

/** A word that a POSIX shell takes as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A script that becomes the program, in its folder; it removes itself first, since the words in it are private.
 *
 * @param program an absolute path.
 */
export function launchScript(cwd: string, program: string, args: readonly string[]): string {
  return [
    '#!/bin/sh',
    'rm -f -- "$0"',
    // tmux starts a pane elsewhere, without a word, when its folder is gone.
    `cd -- ${shellWord(cwd)} || exit 72`,
    `exec ${[program, ...args].map(shellWord).join(' ')}`,
    '',
  ].join('\n');
}
