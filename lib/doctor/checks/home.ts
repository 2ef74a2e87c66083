// Whether the folders of the home are the user's alone.

import { shellWord } from '../../config/shell-word.js';
import type { Facts, FolderFacts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { octal } from '../words.js';

export function checkHome({ folders }: Pick<Facts, 'folders'>): readonly Line[] {
  const bad = folders.flatMap((folder) => faultOf(folder) ?? []);
  if (bad.length > 0) return bad;
  const home = folders.find(({ role }) => role === 'home');
  if (home === undefined) return [];
  if (home.found === 'missing')
    return [pass('home', `${home.path} is not there yet; the first daemon makes it`)];
  return [pass('home', `${home.path} is yours alone`)];
}

function faultOf({ path, role, found, mode, mine }: FolderFacts): Line | undefined {
  if (found === 'missing') return undefined;
  if (found === 'other') {
    return fail('home', `${path} is not a folder`, `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`);
  }
  if (!mine) {
    return fail('home', `${path} belongs to another user; use a home of your own`, 'export LEO_HOME=~/.leo');
  }
  if ((mode & 0o077) === 0) return undefined;
  const text = `${path} is open to others (mode ${octal(mode)})`;
  const mend = `chmod 700 ${shellWord(path)}`;
  return role === 'state'
    ? warn('home', `${text}; the next daemon closes it`, mend)
    : fail('home', `${text}: no daemon starts with it`, mend);
}
