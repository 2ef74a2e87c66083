// A place outside for a program: a network namespace with a name of its own, joined to this machine by a pair of
// virtual interfaces; or, where namespaces are refused, this machine's loopback.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

export interface Container {
  /** This machine's address as seen from inside. */
  readonly hostAddress: string;
  /** Its address as seen from here. */
  readonly address: string;
  /** Whether it is a namespace of its own. */
  readonly apart: boolean;
  /** The command line that runs a program inside. */
  command(program: string, args: readonly string[]): readonly [string, readonly string[]];
  remove(): void;
}

/** Makes a container of one host name. */
export function makeContainer(hostName: string): Container {
  const id = randomBytes(3).toString('hex');
  const [space, here, there] = [`leo-${id}`, `leoh${id}`, `leoc${id}`];
  const net = `10.${100 + ((randomBytes(1)[0] ?? 0) % 100)}.${randomBytes(1)[0] ?? 0}`;
  const [hostAddress, address] = [`${net}.1`, `${net}.2`];
  const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: 'pipe' });
  const remove = () => {
    spawnSync('ip', ['netns', 'del', space]);
    spawnSync('ip', ['link', 'del', here]);
  };
  try {
    ip('netns', 'add', space);
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
    ip('link', 'set', there, 'netns', space);
    ip('addr', 'add', `${hostAddress}/24`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('netns', 'exec', space, 'ip', 'addr', 'add', `${address}/24`, 'dev', there);
    ip('netns', 'exec', space, 'ip', 'link', 'set', there, 'up');
    ip('netns', 'exec', space, 'ip', 'link', 'set', 'lo', 'up');
    execFileSync('ip', ['netns', 'exec', space, 'unshare', '--uts', 'hostname', hostName], { stdio: 'pipe' });
  } catch {
    remove();
    const loopback = '127.0.0.1';
    return {
      hostAddress: loopback,
      address: loopback,
      apart: false,
      command: (program, args) => [program, args],
      remove: () => undefined,
    };
  }
  return {
    hostAddress,
    address,
    apart: true,
    command: (program, args) => [
      'ip',
      [
        ...['netns', 'exec', space, 'unshare', '--uts'],
        ...['sh', '-c', `hostname ${hostName} && exec "$@"`, 'sh', program, ...args],
      ],
    ],
    remove,
  };
}
