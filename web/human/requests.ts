// What an agent asks of the person, and what the agent gets: pure.
//
// The gateway has checked the arguments against the schema already; they are checked here all the same, since
// they come from outside.

import type { OwnRequest, Question, Shown } from '../model/facts.js';
import { checkImage } from './image.js';
import { askTool, showTool } from './tools.js';

/** The body of a result, without the client_id. */
export type Result =
  | { readonly ok: true; readonly content: readonly { readonly type: 'text'; readonly text: string }[] }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

export type Wanted =
  | { readonly is: 'question'; readonly question: Question }
  /** To be shown, and answered at once. */
  | { readonly is: 'shown'; readonly shown: Shown; readonly result: Result }
  | { readonly is: 'refused'; readonly result: Result };

/** What is to be done for a request of one of our tools. */
export function wanted(request: OwnRequest, epoch: string, now: number): Wanted {
  const { id, agent, arguments: args } = request;
  if (request.tool === askTool) {
    const { question, choices = [] } = args;
    if (typeof question !== 'string' || question.trim() === '')
      return refused('invalid_arguments', 'question: a text');
    if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'string'))
      return refused('invalid_arguments', 'choices: a list of texts');
    return {
      is: 'question',
      question: { id, agent, question, choices: [...new Set(choices)], since: request.since ?? now, epoch },
    };
  }
  if (request.tool !== showTool) return refused('invalid_arguments', `there is no tool ${request.tool} here`);
  const { markdown, image, title } = args;
  if (!isTextOrAbsent(markdown) || !isTextOrAbsent(image) || !isTextOrAbsent(title))
    return refused('invalid_arguments', 'markdown, image and title: texts');
  if (markdown === undefined && image === undefined)
    return refused('invalid_arguments', 'give markdown, an image, or both');
  const checked = image === undefined ? undefined : checkImage(image);
  if (checked?.ok === false) return refused('invalid_arguments', checked.why);
  return {
    is: 'shown',
    shown: { id, agent, at: now, title, markdown, image: checked?.image },
    result: { ok: true, content: [{ type: 'text', text: 'shown' }] },
  };
}

/** What the agent gets for an answer. */
export function answered(text: string): Result {
  return { ok: true, content: [{ type: 'text', text }] };
}

/** What the agent gets when the person does not want to answer. */
export const declined: Result = {
  ok: false,
  error: { code: 'denied', message: 'the person has declined to answer' },
};

/** What the person is told when an answer was not taken; undefined if it arrived. */
export function refusalWords(code: string, words: string, agent: string): string {
  if (code === 'already_settled')
    return `This question of ${agent} was answered already; your answer was not sent.`;
  if (code === 'unknown_request') return `${agent} does not wait for this answer any more; it was not sent.`;
  return `The answer was not taken: ${words}`;
}

function refused(code: string, message: string): Wanted {
  return { is: 'refused', result: { ok: false, error: { code, message } } };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
