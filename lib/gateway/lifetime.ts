// When a gateway has to go besides the end of stdin (design 8): a signal, or a parent that is gone while
// somebody else still holds the pipe.

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const parentCheckMs = 400;

/** Reports, once, that the process has to go; at once if it is not `parent`'s child any more. */
export function watchLifetime(parent: number, onEnd: (why: string) => void): void {
  let told = false;
  const end = (why: string) => {
    if (told) return;
    told = true;
    onEnd(why);
  };
  for (const signal of endSignals) process.on(signal, () => end(signal));
  // An orphan is given another parent; there is no event for it.
  const check = () => {
    if (process.ppid !== parent) end('the parent process is gone');
  };
  setInterval(check, parentCheckMs).unref();
  check();
}
