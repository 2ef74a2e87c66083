// What a person and a machine notice every day: how fast `leo status` answers, and what the daemon costs while ten agents
// are connected and nothing happens.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMemoryOf, settled } from '../memory.js';
import { median } from '../numbers.js';
import { root } from '../root.js';
import type { Row } from '../row.js';
import { start } from '../servers.js';
import { sessionsUp } from '../sessions.js';
import { onStage } from '../stage.js';

const agents = 10;

export async function dailyRows(quick: boolean): Promise<readonly Row[]> {
  const [rounds, idleS] = quick ? [7, 10] : [31, 60];
  return await onStage(async (stage) => {
    await stage.startApp();
    const env = { ...process.env, LEO_HOME: stage.home };
    const bare: number[] = [];
    const status: number[] = [];
    const time = (args: readonly string[]) => {
      const begun = performance.now();
      const { status: code } = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
      if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
      return performance.now() - begun;
    };
    // The first round warms the disk's cache and does not count.
    for (let round = 0; round <= rounds; round++) {
      const [floor, leo] = [time(['-e', '']), time([join(root, 'bin', 'leo.js'), 'status'])];
      if (round > 0) bare.push(floor) && status.push(leo);
    }
    const clients = Array.from({ length: agents }, (_, index) => start('leo', stage, `bench-${index}`));
    await Promise.all(clients.map((client) => client.listed));
    await sessionsUp(stage, agents);
    const memory = await settled(() => residentMemoryOf(stage.daemon.pid));
    const before = cpuSecondsOf(stage.daemon.pid);
    await pause(idleS * 1000);
    const used = cpuSecondsOf(stage.daemon.pid) - before;
    await Promise.all(clients.map((client) => client.end()));
    return [
      {
        id: 'status',
        what: 'leo status, a daemon up; bare: node -e ""',
        unit: 'ms',
        leo: median(status),
        floor: median(bare),
        limit: { of: 'ratio', most: 2.5 },
      },
      {
        id: 'idle-memory',
        what: `the idle daemon, ${agents} agents`,
        unit: 'MB',
        leo: memory,
        limit: { of: 'number', most: 90 },
      },
      {
        id: 'idle-cpu',
        what: `the idle daemon, ${agents} agents, of a core, for ${idleS} s`,
        unit: '%',
        leo: (used / idleS) * 100,
        limit: { of: 'number', most: 1 },
      },
    ];
  });
}

/** What a process has had of the processors, in seconds. Where there is no /proc, `ps` tells hundredths. */
function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) {
    // After the name, which may hold anything: user and system time are the twelfth and thirteenth, in hundredths.
    const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
  const parts = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).split(':');
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}
