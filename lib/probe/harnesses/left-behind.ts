// What a harness started and left: cline's hub is a daemon in a process group of its own. It is known by the home in
// its environment, which no other process has.

import { execFileSync } from 'node:child_process';

/** Kills every process that was started with this home, and resolves when there is none. */
export async function killLeftBehind(home: string): Promise<void> {
  // One that is killed may have started another in the same moment.
  for (let round = 0; round < 5; round += 1) {
    const pids = processesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Kills a process, if it is still there. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went in this moment.
  }
}

/** By `ps`, which shows the environment after the command when asked: Linux' and macOS' in words of their own. */
function processesOf(home: string): readonly number[] {
  const environmentToo = process.platform === 'darwin' ? '-axEww' : 'axeww';
  let rows: string;
  try {
    rows = execFileSync('ps', [environmentToo, '-o', 'pid=,args='], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return []; // No such ps: what is in the harness's group is ended all the same.
  }
  return rows
    .split('\n')
    .filter((row) => `${row} `.includes(` HOME=${home} `))
    .map((row) => Number.parseInt(row, 10))
    .filter((pid) => pid > 1 && pid !== process.pid);
}
