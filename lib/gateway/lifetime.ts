// When a gateway has to go besides the end of stdin (design 8): a signal, or a parent that is gone while
// somebody else still holds the pipe.

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const parentCheckMs = 400;

/** Reports, once, that the process has to go. */
export function watchLifetime(onEnd: (why: string) => void): void {
  const parent = process.ppid;
  let told = false;
  const end = (why: string) => {
    if (told) return;
    told = true;
    onEnd(why);
  };
  for (const signal of endSignals) process.on(signal, () => end(signal));
  // An orphan is given another parent; there is no event for it.
  setInterval(() => {
    if (process.ppid !== parent) end('the parent process is gone');
  }, parentCheckMs).unref();
}
