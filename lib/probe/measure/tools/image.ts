// A result with a picture, and what the model gets of it.

import type { Figure } from '../../figure.js';
import type { ModelRequest } from '../../model/conversation.js';
import type { CallAnswer } from '../../server/probe-server.js';

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const imageAnswer: CallAnswer = {
  result: {
    content: [
      { type: 'text', text: 'IMAGE-TEXT' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
    ],
  },
};

/** How the picture of the last answer stands in a request to the model. */
export function imageFigure(request: ModelRequest): Figure {
  const answer = request.answers.at(-1);
  const asImage = (answer?.images ?? 0) > 0 || request.images > 0;
  const asText = JSON.stringify(request.body).includes(pixel.slice(0, 40));
  const value =
    (answer?.images ?? 0) > 0
      ? 'yes, in the answer of the tool'
      : asImage
        ? 'yes, in a message of the user'
        : asText
          ? 'as base64 in the text'
          : 'no, only the text';
  return { value, evidence: `the answer to the model: ${(answer?.text ?? 'none').slice(0, 400)}` };
}
