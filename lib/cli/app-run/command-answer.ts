// From how a command ended to what the agent gets. Pure.

import { image, ToolError } from '../../app/index.js';
import type { ContentBlock } from '../../wire/content.js';
import { maxResultBytes } from '../../wire/content.js';
import type { Output } from './app-file.js';

/** How a command ended. */
export type CommandEnd =
  /** It could not be started. */
  | { readonly how: 'not_started'; readonly reason: string }
  /** It wrote more than `maxOutputBytes`, and was ended. */
  | { readonly how: 'too_much_output' }
  | {
      readonly how: 'exited';
      /** Null when a signal ended it. */
      readonly code: number | null;
      readonly signal: string | null;
      readonly stdout: Uint8Array;
      /** The last of it. */
      readonly stderr: string;
    };

/** The most bytes that a command may write to stdout: more than this no result can hold. */
export const maxOutputBytes = maxResultBytes;
/** How much of stderr a failure shows, in characters. */
export const shownErrorCharacters = 2000;

/**
 * The answer of a tool whose command has ended.
 *
 * @throws {ToolError} `command_failed`, or `bad_output` for an image that is none and for too much output.
 */
export function commandAnswer(end: CommandEnd, output: Output): string | ContentBlock {
  switch (end.how) {
    case 'not_started':
      throw new ToolError('command_failed', `the command could not be started: ${end.reason}`);
    case 'too_much_output':
      throw new ToolError(
        'bad_output',
        `the command wrote more than ${maxOutputBytes / 1024 / 1024} MiB to stdout`,
      );
    case 'exited': {
      if (end.code !== 0) throw new ToolError('command_failed', failureMessage(end));
      if (output === 'text') return new TextDecoder().decode(end.stdout).replace(/[\r\n]+$/, '');
      if (end.stdout.length === 0) throw new ToolError('bad_output', 'the command wrote no image to stdout');
      try {
        return image(end.stdout);
      } catch (error) {
        throw new ToolError(
          'bad_output',
          'what the command wrote to stdout is no PNG, JPEG, GIF or WebP image',
          {
            cause: error,
          },
        );
      }
    }
  }
}

function failureMessage(end: CommandEnd & { how: 'exited' }): string {
  const how = end.code === null ? `was ended by ${end.signal}` : `exited with code ${end.code}`;
  const said = end.stderr.trim();
  if (said === '') return `the command ${how} and wrote nothing to stderr`;
  const shown = said.length <= shownErrorCharacters ? said : `…${said.slice(-shownErrorCharacters)}`;
  return `the command ${how}: ${shown}`;
}
