// What an agent is denied (design 8, 11): names of tools, or globs over them.

import { foldToolName } from './names.js';

/** Whether a text is a glob rather than a name. */
export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/**
 * Whether a glob (`*` for any run of characters, `?` for one) matches a whole text, in time linear in their
 * product: no regular expression is made of what somebody wrote.
 */
export function globMatches(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  while (t < text.length) {
    if (g < glob.length && (glob[g] === '?' || glob[g] === text[t]) && glob[g] !== '*') {
      g++;
      t++;
    } else if (glob[g] === '*') {
      star = g++;
      starText = t;
    } else if (star >= 0) {
      g = star + 1;
      t = ++starText;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}

/** Whether a tool is denied by any of the patterns; names are compared as Leo compares names (design 6). */
export function isDenied(patterns: readonly string[], tool: string): boolean {
  const folded = foldToolName(tool);
  return patterns.some((pattern) => globMatches(foldToolName(pattern), folded));
}
