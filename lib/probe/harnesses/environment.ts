// The environment that a harness is started in: nothing of the user's but PATH.

/**
 * What every harness gets, before what it needs itself.
 *
 * @param home its home, in which all of its files are.
 */
export function baseEnvironment(home: string, path: string): Readonly<Record<string, string>> {
  return {
    HOME: home,
    PATH: path,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    USER: 'probe',
    NO_COLOR: '1',
  };
}
