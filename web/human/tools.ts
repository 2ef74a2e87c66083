// The tools with which a person at this page answers agents, as they are registered (design 6).

import type { WireTool } from '../../lib/wire/tool.js';

export const groupName = 'console';
export const askTool = 'ask_human';
export const showTool = 'show_human';

export const humanTools: readonly WireTool[] = [
  {
    name: askTool,
    description:
      'Asks the person at this machine, in their browser, and waits for their answer however long it takes. ' +
      'Offer `choices` where there are some; the person may also answer in their own words. ' +
      'The question is shown as Markdown.',
    input_schema: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, description: 'what you want to know' },
        choices: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          maxItems: 20,
          description: 'answers to choose from',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    timeout_s: 0,
  },
  {
    name: showTool,
    description:
      'Shows the person at this machine something in their browser: Markdown, an image, or both. ' +
      'Answers at once, and does not wait until it is read.',
    input_schema: {
      type: 'object',
      properties: {
        markdown: { type: 'string', minLength: 1, description: 'what to read' },
        image: { type: 'string', minLength: 1, description: 'a PNG, JPEG, GIF or WebP in base64' },
        title: { type: 'string', maxLength: 200, description: 'what it is' },
      },
      additionalProperties: false,
    },
    timeout_s: 60,
  },
];
