import t from 'tap';
import { withoutQuotes } from '../../lib/gateway/log.js';

t.test('what an error of the SDK quotes is left out of the log', async (t) => {
  const rows = [
    [
      'Received a response for an unknown message ID: {"result":"said"}',
      'Received a response for an unknown message ID: …',
    ],
    ['Uncaught error: [\n  {\n "said" } ]', 'Uncaught error: …'],
    ['Unexpected token \'s\', "said" is not valid JSON', "Unexpected token 's', …"],
    [
      'subscriptions/listen refused: subscription limit reached (4)',
      'subscriptions/listen refused: subscription limit reached (4)',
    ],
  ] as const;
  for (const [message, left] of rows) t.equal(withoutQuotes(new Error(message)), left);
});
