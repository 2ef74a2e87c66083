// What a harness started and left: cline's hub is a daemon in a process group of its own. It is known by the home in
// its environment, which no other process has.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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

function processesOf(home: string): readonly number[] {
  const mark = `HOME=${home}`;
  return process.platform === 'linux' ? fromProc(mark) : fromPs(mark);
}

function fromProc(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark);
      } catch {
        return false; // Somebody else's, or gone.
      }
    })
    .map(Number);
}

/** macOS' ps shows the environment after the command. */
function fromPs(mark: string): readonly number[] {
  try {
    return execFileSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 28 })
      .split('\n')
      .filter((line) => `${line} `.includes(` ${mark} `))
      .map((line) => Number.parseInt(line, 10));
  } catch {
    return []; // A ps of another kind: then the process groups have to do.
  }
}
