// Whether each token is the user's alone and counts for somebody.

import { scopedNameFault } from '../../config/scoped-name.js';
import { shellWord } from '../../config/shell-word.js';
import type { Facts, TokenFileFacts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { count } from '../words.js';

export function checkTokens({ tokens, daemon }: Pick<Facts, 'tokens' | 'daemon'>): readonly Line[] {
  const { files, clients } = tokens;
  const lines = files.flatMap((file) => faultOf(file, clients, daemon.answer.kind === 'leo') ?? []);
  for (const name of clients ?? []) {
    if (files.some((file) => file.role === 'client' && file.name === name)) continue;
    // The line about leo.yaml says that it counts for nothing.
    if (scopedNameFault('client', name) !== undefined) continue;
    lines.push(warn('tokens', `the client ${name} of leo.yaml has no token`, `leo client rotate ${name}`));
  }
  if (lines.length > 0) return lines;
  const there = files.filter(({ state }) => state.kind === 'good').length;
  if (there === 0) return [pass('tokens', 'there are none yet; the first daemon makes them')];
  return [pass('tokens', `${count(there, 'token')}, for you alone`)];
}

function faultOf(
  { path, role, name, state }: TokenFileFacts,
  clients: readonly string[] | null,
  daemonRuns: boolean,
): Line | undefined {
  const renew =
    role === 'client' || role === 'device'
      ? `leo ${role} rotate ${name}`
      : `rm ${shellWord(path)}${daemonRuns ? ' && leo reload' : ''}`;
  if (role === 'client' && clients !== null && !clients.includes(name)) {
    const text = `${path} is of no client that leo.yaml names; it counts for nothing`;
    return warn('tokens', text, `leo client remove ${name}`);
  }
  switch (state.kind) {
    case 'missing':
      // Without a daemon there need be none.
      return daemonRuns
        ? warn('tokens', `${path} is gone; a reload makes a new one`, 'leo reload')
        : undefined;
    case 'bad':
      return fail('tokens', state.why, state.mend?.startsWith('rm ') ? renew : state.mend);
    case 'copy':
      return fail('tokens', `${path} holds the token of ${state.of}; give it one of its own`, renew);
    case 'good':
      return undefined;
  }
}
