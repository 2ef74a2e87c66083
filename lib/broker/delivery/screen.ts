// What a captured screen is (design 9): a prompt that waits for somebody to type, or something that must not be typed
// into. Pure. The table of what each harness looks like is harness-looks.ts, held against fixtures/screens.
//
// What must stay true: a prompt is recognised by the cursor standing in it, never by words alone, since words are
// what a model says and a message holds; what is not recognised is `unknown`, and nothing is typed into it.

import type { SupervisedHarness } from '../../config/templates.js';
import { lookOf } from './harness-looks.js';

/** What tmux tells of a pane. */
export interface Screen {
  /** The program in its foreground. */
  readonly command: string;
  /** Whether its program has ended and the pane stayed. */
  readonly dead: boolean;
  readonly alternate: boolean;
  readonly cursor: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;
  /** As many as it is high, without the spaces at their ends. */
  readonly rows: readonly string[];
}

export type Sight =
  /** Waits for somebody to type; a draft is what somebody has typed and not sent. */
  | { readonly kind: 'idle'; readonly draft: boolean }
  | { readonly kind: 'busy' }
  | { readonly kind: 'permission' }
  | { readonly kind: 'trust' }
  | { readonly kind: 'shell' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'unknown' };

const shells = new Set(
  'sh bash zsh fish dash ash ksh mksh tcsh csh nu pwsh elvish xonsh busybox login su sudo'.split(' '),
);

export function sightOf(screen: Screen, harness: SupervisedHarness): Sight {
  if (screen.dead) return { kind: 'ended' };
  if (isShell(screen.command)) return { kind: 'shell' };
  const look = lookOf(harness);
  const prompt = look.prompt(screen);
  if (prompt === undefined || isChoice(screen.rows[prompt.first] ?? ''))
    return dialogOf(screen) ?? { kind: 'unknown' };
  return look.busy(screen.rows, prompt) ? { kind: 'busy' } : { kind: 'idle', draft: prompt.draft };
}

/** What was seen, in words that end a sentence which starts with the agent's name. None of the screen's own. */
export function describeSight(sight: Sight, command: string): string {
  switch (sight.kind) {
    case 'idle':
      return sight.draft ? 'has text in its prompt that nobody has sent' : 'shows an idle prompt';
    case 'busy':
      return 'is busy';
    case 'permission':
      return 'shows a permission dialog';
    case 'trust':
      return 'asks whether its folder is to be trusted';
    case 'shell':
      return `has exited to a shell (${command})`;
    case 'ended':
      return 'has ended';
    case 'unknown':
      return `shows a screen that is no prompt (${command})`;
  }
}

export function isShell(command: string): boolean {
  return shells.has(command.replace(/^-/, '').replace(/^.*\//, '').toLowerCase());
}

/** The option of a list of choices that is chosen now. */
function isChoice(row: string): boolean {
  return /^[\s│┃]*[❯›●▶>→] {1,2}\d+[.)] /.test(row);
}

/** A dialog that takes keys: a list of choices, and a question before it. */
function dialogOf({ rows }: Screen): Sight | undefined {
  const chosen = rows.findLastIndex(isChoice);
  const buttons = rows.findLastIndex((row) => /\benter\b.*\bconfirm\b|⇆ select/i.test(row));
  const at = Math.max(chosen, buttons);
  if (at < 0) return undefined;
  const words = rows.slice(Math.max(0, at - 20), at + 8).join('\n');
  if (/\btrust\b[^\n]*\b(folder|files|directory|workspace|project)|Confirm folder trust/i.test(words))
    return { kind: 'trust' };
  const asks =
    /Do you want to|Would you like to|Allow execution|Permission required|Allow .*\?|Apply this change/i;
  return asks.test(words) ? { kind: 'permission' } : undefined;
}
