import t from 'tap';
import { readBrokerMessage, readGreeting } from '../../../lib/gateway/link/messages.js';
import { RawContent } from '../../../lib/gateway/stdio/outbound.js';
import { encodeOutcome } from '../../../lib/wire/link.js';

const read = (value: unknown) =>
  readBrokerMessage(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const contentOf = (value: unknown) => {
  const message = read(value);
  if (message.kind !== 'outcome' || !message.outcome.ok) return message;
  return { id: message.id, content: JSON.parse(message.outcome.content.json.toString()) };
};

const content = [{ type: 'text', text: 'a "quoted" }} ä' }];

t.test('a success is passed on as it stands', async (t) => {
  const outcome = encodeOutcome('r_abcdefgh', { ok: true, content });
  t.strictSame(contentOf(outcome), { id: 'r_abcdefgh', content });
});

t.test('a success that is written otherwise comes to the same', async (t) => {
  const otherwise = { id: 'r_abcdefgh', result: { content }, jsonrpc: '2.0' };
  t.strictSame(contentOf(otherwise), { id: 'r_abcdefgh', content });
  t.strictSame(contentOf(JSON.stringify(encodeOutcome('r_abcdefgh', { ok: true, content }), null, 2)), {
    id: 'r_abcdefgh',
    content,
  });
  const broken = JSON.stringify(encodeOutcome('r_abcdefgh', { ok: true, content })).replace('[{', '[\n{');
  t.notMatch(String((contentOf(broken) as { content: unknown }).content), '\n');
});

const rows: readonly [what: string, message: unknown, read: object][] = [
  [
    'a failure',
    encodeOutcome('r_abcdefgh', { ok: false, code: 'timeout', message: 'm' }),
    { kind: 'outcome', id: 'r_abcdefgh', outcome: { ok: false, code: 'timeout', message: 'm' } },
  ],
  ['an answer', { jsonrpc: '2.0', id: 'hello', result: 1 }, { kind: 'answer', id: 'hello', result: 1 }],
  [
    'a refusal',
    { id: 'hello', error: { code: -32001, message: 'm' } },
    { kind: 'refusal', code: -32001, message: 'm' },
  ],
  [
    'a claim',
    { method: 'call/claimed', params: { id: 'r_1', client_id: 'c_1' } },
    { kind: 'claimed', claimant: 'c_1' },
  ],
  [
    'a claim that ended',
    { method: 'call/unclaimed', params: { id: 'r_1' } },
    { kind: 'unclaimed', id: 'r_1' },
  ],
  [
    'progress',
    { method: 'call/progress', params: { id: 'r_1', progress: 0, total: 2, message: 'm' } },
    { kind: 'progress', progress: { progress: 0, total: 2, message: 'm' } },
  ],
  ['a denial', { method: 'denied/changed', params: { denied: ['x'] } }, { kind: 'denied', denied: ['x'] }],
  ['a newer method', { method: 'moon/phase', params: {} }, { kind: 'unknown' }],
  ['a catalogue of another form', { method: 'catalogue/changed', params: { tools: 7 } }, { kind: 'unknown' }],
  ['no JSON', 'hello', { kind: 'unknown' }],
  ['a success without content', { id: 'r_abcdefgh', result: {} }, { kind: 'unknown' }],
  ['an answer to nobody', { id: 7, result: {} }, { kind: 'unknown' }],
];
for (const [what, message, expected] of rows) {
  t.test(`reads ${what}`, async (t) => t.match(read(message), expected));
}

t.test('a greeting of another form is none', async (t) => {
  const tool = { name: 'a', input_schema: {}, timeout_s: 1, group: 'g', provider: 'c_1', keyed: false };
  const greeting = {
    protocol: 1,
    version: '1',
    epoch: 'e',
    denied: [],
    catalogue: { revision: 1, ever_registered: true, tools: [tool] },
  };
  t.match(readGreeting(greeting), {
    epoch: 'e',
    catalogue: { everRegistered: true, tools: [{ inputSchema: {}, timeoutS: 1 }] },
  });
  for (const wrong of [
    undefined,
    {},
    { ...greeting, denied: [1] },
    { ...greeting, catalogue: { ...greeting.catalogue, tools: [{}] } },
  ]) {
    t.equal(readGreeting(wrong), undefined);
  }
});

t.test('a large success is cut out and not copied', async (t) => {
  const data = Buffer.from(JSON.stringify(encodeOutcome('r_abcdefgh', { ok: true, content })));
  const message = readBrokerMessage(data);
  t.ok(message.kind === 'outcome' && message.outcome.ok && message.outcome.content instanceof RawContent);
  t.ok(
    message.kind === 'outcome' && message.outcome.ok && message.outcome.content.json.buffer === data.buffer,
  );
});
