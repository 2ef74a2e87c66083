// Who started this process, sampled before the other modules load: a parent that dies while they do is seen to
// be gone (lifetime.ts). One that died before this line ran is not: the process then has its new parent already,
// and pid 1 is no sign of that, since in a container the harness itself may be pid 1.

/** The process that started this one. */
export const parentAtStart = process.ppid;
