import t from 'tap';
import { checkedTools } from '../../../lib/broker/check/tools.js';
import { LeoError } from '../../../lib/wire/errors.js';

const schema = { type: 'object' };
const fault = (list: readonly unknown[]) => {
  try {
    checkedTools(list);
    return undefined;
  } catch (error) {
    return error instanceof LeoError ? `${error.code}: ${error.message}` : String(error);
  }
};

t.test('a good tool is taken, what it leaves out filled in', async (t) => {
  t.strictSame(checkedTools([{ name: 'take_photo', input_schema: schema }]), [
    { name: 'take_photo', inputSchema: schema, timeoutS: 120 },
  ]);
  t.strictSame(
    checkedTools([{ name: 'a'.repeat(46), description: 'x\ud800', input_schema: schema, timeout_s: 0 }]),
    [{ name: 'a'.repeat(46), description: 'x\ufffd', inputSchema: schema, timeoutS: 0 }],
  );
  t.equal(
    fault([{ name: 'a', description: '😀'.repeat(4096), input_schema: schema }]),
    undefined,
    'characters count, not units',
  );
});

t.test('lone surrogates do not reach the harnesses', async (t) => {
  const input_schema = { type: 'object', properties: { a: { enum: ['\ud800'], description: 'b\udc00' } } };
  t.strictSame(checkedTools([{ name: 'a', input_schema }]), [
    {
      name: 'a',
      inputSchema: { type: 'object', properties: { a: { enum: ['\ufffd'], description: 'b\ufffd' } } },
      timeoutS: 120,
    },
  ]);
});

t.test('a bad tool is refused, with its place', async (t) => {
  const bad: [readonly unknown[], string][] = [
    [[1], 'at $.tools[0]: must be an object'],
    [
      [{ input_schema: schema }],
      'at $.tools[0].name: must be 1 to 46 letters, digits, _ or -, starting with a letter',
    ],
    [[{ name: '1a', input_schema: schema }], 'at $.tools[0].name: must be 1 to 46'],
    [[{ name: 'a'.repeat(47), input_schema: schema }], 'at $.tools[0].name: must be 1 to 46'],
    [[{ name: 'a.b', input_schema: schema }], 'at $.tools[0].name: must be 1 to 46'],
    [[{ name: 'a\n', input_schema: schema }], 'at $.tools[0].name: must be 1 to 46'],
    [
      [{ name: 'Leo-photo', input_schema: schema }],
      'at $.tools[0].name: names starting "leo_" are Leo\'s own',
    ],
    [[{ name: 'a', input_schema: schema, timeout_s: -1 }], 'at $.tools[0].timeout_s: must be a whole number'],
    [
      [{ name: 'a', input_schema: schema, timeout_s: 86_401 }],
      'at $.tools[0].timeout_s: must be a whole number',
    ],
    [
      [{ name: 'a', input_schema: schema, timeout_s: 1.5 }],
      'at $.tools[0].timeout_s: must be a whole number',
    ],
    [
      [{ name: 'a', input_schema: schema, timeout_s: '60' }],
      'at $.tools[0].timeout_s: must be a whole number',
    ],
    [
      [{ name: 'a', input_schema: schema, description: 'x'.repeat(4097) }],
      'at $.tools[0].description: must be text of at most 4096',
    ],
    [[{ name: 'a', input_schema: schema, description: null }], 'at $.tools[0].description: must be text'],
    [[{ name: 'a', input_schema: schema, colour: 1 }], 'at $.tools[0].colour: unknown key'],
    [[{ name: 'a' }], 'at $: must be an object (in the input_schema of a)'],
    [
      [{ name: 'a', input_schema: { type: 'object', properties: { ref: { type: 'bogus' } } } }],
      'at $.properties.ref.type: unknown type "bogus" (in',
    ],
    [
      [
        { name: 'a', input_schema: schema },
        { name: 'a', input_schema: schema },
      ],
      'at $.tools[1].name: "a" stands in the list twice',
    ],
    [
      [
        { name: 'a-b', input_schema: schema },
        { name: 'A_B', input_schema: schema },
      ],
      'at $.tools[1].name: "A_B" is the same name as "a-b"',
    ],
  ];
  for (const [list, expected] of bad)
    t.ok(fault(list)?.startsWith(`invalid_tool: ${expected}`), `${expected} | ${fault(list)}`);
});
