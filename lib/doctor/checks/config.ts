// Whether leo.yaml can be used, by this Leo and by nobody else.

import { shellWord } from '../../config/shell-word.js';
import type { Facts } from '../facts.js';
import { fail, type Line, pass, warn } from '../line.js';
import { octal } from '../words.js';

export function checkConfig({
  config,
  daemon,
  harnessCapsFault,
}: Pick<Facts, 'config' | 'daemon' | 'harnessCapsFault'>): readonly Line[] {
  const { path, exists, errors, unreadable, warnings, mode, stamp } = config;
  const { answer, file } = daemon;
  const runs = answer.kind === 'leo';
  const edit = `\${EDITOR:-vi} ${shellWord(path)} && leo ${runs ? 'reload' : 'validate'}`;
  const lines: Line[] = [];
  if (unreadable !== null) lines.push(fail('config', unreadable));
  for (const { line, message } of errors)
    lines.push(fail('config', `${path} line ${line}: ${message}`, edit));
  for (const { line, message } of warnings)
    lines.push(warn('config', `${path} line ${line}: ${message}`, edit));
  if (
    runs &&
    errors.length === 0 &&
    unreadable === null &&
    ![null, undefined, stamp].includes(file?.configStamp)
  )
    lines.push(warn('config', `${path} was changed, and the daemon goes by what was`, 'leo reload'));
  // Whoever writes it says what an agent's template runs.
  if (mode !== null && (mode & 0o022) !== 0) {
    const text = `${path} can be changed by others (mode ${octal(mode)}): what it names is run as you`;
    lines.push(fail('config', text, `chmod go-w ${shellWord(path)}`));
  }
  if (harnessCapsFault !== null) lines.push(warn('config', harnessCapsFault));
  if (lines.length > 0) return lines;
  return [pass('config', exists ? `${path} can be used` : `there is no ${path}; all is as by default`)];
}
