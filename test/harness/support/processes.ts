// The processes of this machine, by `ps` as POSIX has it, in lines of any length: COLUMNS would cut them.

import { execFileSync } from 'node:child_process';

export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

export function processes(): readonly ProcessRow[] {
  const columns = ['-A', '-ww', '-o', 'pid=,pgid=,stat=,args='];
  return execFileSync('ps', columns, { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, group, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      // One that has ended and waits for its parent to look is no process any more.
      if (pid === undefined || stat === undefined || stat.startsWith('Z')) return [];
      return [{ pid: Number(pid), group: Number(group), command: command ?? '' }];
    });
}

/** The gateways of one agent that live. */
export function gatewaysOf(agent: string): readonly ProcessRow[] {
  return processes().filter(({ command }) => command.includes(`mcp-server --agent ${agent}`));
}
