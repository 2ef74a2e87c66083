// Has a tmux server look for processes of its own that have ended.
//
// tmux is told of an end by SIGCHLD, and can miss it: while libutempter takes a closed terminal out of the list of
// logins, it has the signal ignored (seen with tmux 3.3a of Debian 12, with one end in eight on two busy cores). The
// process then stays a zombie, and the pane without a code, until the signal comes once more, from whomever.

/**
 * @param serverPid `#{pid}` of the server. Where it has gone, this does nothing: no other program, should it have got
 *   the number, ends by this signal.
 */
export function lookForEnded(serverPid: number): void {
  try {
    process.kill(serverPid, 'SIGCHLD');
  } catch {
    // The server has gone, and its processes are another's to look for.
  }
}
