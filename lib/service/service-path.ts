// The PATH of the daemon as a service: it finds tmux and git there, and so do the agents that it starts. Pure.
//
// It is the PATH of the shell that installed the service, since only that knows where the user's harnesses are; without
// what was true of that shell alone, and with the usual places behind it.

import { delimiter, isAbsolute, join } from 'node:path';

/** Homebrew's two places, of Macs with Apple's processors and with Intel's, and what every system has. */
const usual = [
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
];

/** Folders of one command, one shell or one project: those that npm and fnm put in front, and those that do not last. */
const passing =
  /\/node_modules\/\.bin\/?$|\/node-gyp-bin\/?$|\/fnm_multishells\/|^\/(?:private\/)?(?:tmp|var\/folders|run\/user)\//;

/**
 * @param path the PATH of now.
 * @param nodeFolder where Node is: a harness that is a script of Node's finds it.
 */
export function servicePath(path: string | undefined, nodeFolder: string, userHome: string): string {
  const now = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && !passing.test(folder));
  const all = [...now, nodeFolder, join(userHome, '.local', 'bin'), ...usual];
  // A folder whose name the file could not hold is left out: it is one of many.
  return [...new Set(all)].filter((folder) => !/[\u0000-\u001f\u007f]/.test(folder)).join(delimiter);
}
