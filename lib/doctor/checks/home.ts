// Whether the folders of the home are the user's alone.

import { shellWord } from '../../config/shell-word.js';
import type { Facts, FolderFacts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { count, octal } from '../words.js';

/** Less than this on a disk, in bytes, and the next file that Leo writes may not fit. */
const tooLittle = 20 * 1024 * 1024;

export function checkHome({
  folders,
  foreign,
  freeBytes,
  userHome,
}: Pick<Facts, 'folders' | 'foreign' | 'freeBytes' | 'userHome'>): readonly Line[] {
  const bad = folders.flatMap((folder) => faultOf(folder, userHome) ?? []);
  const [first] = foreign;
  const own = folders.find(({ role, mine }) => role === 'home' && mine);
  if (first !== undefined && own !== undefined) {
    const others = foreign.length === 1 ? '' : `, and ${count(foreign.length - 1, 'more file')}`;
    bad.push(
      fail('home', `${first} belongs to another user${others}, as after sudo leo`, takeBack(own.path)),
    );
  }
  if (freeBytes !== null && freeBytes < tooLittle) {
    const path = folders[0]?.path ?? userHome;
    const text = `the disk of ${path} has ${Math.floor(freeBytes / 1024 / 1024)} MiB left: Leo cannot write its files, nor agents theirs`;
    bad.push(fail('home', text, `df -h ${shellWord(path)}`));
  }
  if (bad.length > 0) return bad;
  const home = folders.find(({ role }) => role === 'home');
  if (home === undefined) return [];
  if (home.found === 'missing')
    return [pass('home', `${home.path} is not there yet; the first daemon makes it`)];
  return [pass('home', `${home.path} is yours alone`)];
}

function faultOf({ path, role, found, mode, mine }: FolderFacts, userHome: string): Line | undefined {
  if (found === 'missing') return undefined;
  if (found === 'other') {
    return fail('home', `${path} is not a folder`, `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`);
  }
  if (!mine && path.startsWith(`${userHome}/`)) {
    return fail('home', `${path} belongs to another user, as after sudo leo`, takeBack(path));
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

function takeBack(path: string): string {
  return `sudo chown -R "$(id -un)" ${shellWord(path)}`;
}
