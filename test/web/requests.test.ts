import t from 'tap';
import { checkedTools } from '../../lib/broker/check/tools.js';
import { harnessNames } from '../../lib/setup/types.js';
import type { JsonObject } from '../../lib/wire/json.js';
import { answered, declined, refusalWords, type Wanted, wanted } from '../../web/human/requests.js';
import { askTool, humanTools, showTool } from '../../web/human/tools.js';
import { harnessTitles } from '../../web/model/harnesses.js';
import { images } from '../support/images.js';

t.test('the tools are such as the daemon takes', (t) => {
  t.same(
    checkedTools(humanTools).map(({ name, timeoutS }) => [name, timeoutS === 0]),
    [
      [askTool, true],
      [showTool, false],
    ],
  );
  t.end();
});

function asked(tool: string, args: JsonObject): Wanted {
  const request = { id: 'r_12345678', agent: 'rocket', tool, arguments: args, since: 3, claimed: false };
  return wanted(request, 'e1', 7);
}

/** What came of a request, in short. */
function outcome(of: Wanted): unknown {
  if (of.is === 'question') return [of.question.question, of.question.choices];
  if (of.is === 'shown') return [of.shown.title, of.shown.markdown, of.shown.image?.type];
  return of.result.ok ? 'ok' : of.result.error.message;
}

const of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const rows: readonly (readonly [tool: string, args: JsonObject, outcome: unknown])[] = [
  [askTool, { question: 'Ship?' }, ['Ship?', []]],
  [askTool, { question: 'Ship?', choices: ['yes', 'no', 'yes'] }, ['Ship?', ['yes', 'no']]],
  [askTool, { question: ' ' }, 'question: a text'],
  [askTool, {}, 'question: a text'],
  [askTool, { question: 'a', choices: 'yes' }, 'choices: a list of texts'],
  [askTool, { question: 'a', choices: [1] }, 'choices: a list of texts'],
  [showTool, { markdown: '# a', title: 't' }, ['t', '# a', undefined]],
  [showTool, { image: of(images.png) }, [undefined, undefined, 'image/png']],
  [showTool, { image: of(images.jpeg) }, [undefined, undefined, 'image/jpeg']],
  [showTool, { image: of(images.gif) }, [undefined, undefined, 'image/gif']],
  [showTool, { image: of(images.webp) }, [undefined, undefined, 'image/webp']],
  [showTool, { image: `data:image/svg+xml;base64,${of(images.gif)}` }, [undefined, undefined, 'image/gif']],
  [showTool, { image: of(Buffer.from('<svg onload="x">')) }, 'image: neither PNG, JPEG, GIF nor WebP'],
  [showTool, { image: '%%%' }, 'image: not base64'],
  [showTool, { image: 'A'.repeat(8 * 1024 * 1024) }, 'image: larger than 5 MiB'],
  [showTool, {}, 'give markdown, an image, or both'],
  [showTool, { title: 't' }, 'give markdown, an image, or both'],
  [showTool, { markdown: 1 }, 'markdown, image and title: texts'],
  ['other', {}, 'there is no tool other here'],
];

t.test('what is asked of the person', (t) => {
  for (const [tool, args, expected] of rows)
    t.same(outcome(asked(tool, args)), expected, `${tool} ${JSON.stringify(args).slice(0, 60)}`);
  t.end();
});

t.test('what the agent gets, and what the second who answers is told', (t) => {
  t.same(answered('yes'), { ok: true, content: [{ type: 'text', text: 'yes' }] });
  t.match(declined, { ok: false, error: { code: 'denied' } });
  t.match(refusalWords('already_settled', '', 'rocket'), /answered already/);
  t.match(refusalWords('unknown_request', '', 'rocket'), /does not wait/);
  t.match(refusalWords('invalid_result', 'too long', 'rocket'), /not taken: too long/);
  t.end();
});

t.test('a line is there for each harness that Leo can set up', (t) => {
  t.same(Object.keys(harnessTitles), [...harnessNames]);
  t.end();
});
