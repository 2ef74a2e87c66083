import t from 'tap';
import { readLine, salvageId } from '../../../lib/gateway/stdio/inbound.js';

const read = (text: string) => readLine({ kind: 'text', text });
const big = 'x'.repeat(5000);

t.test('lets messages of JSON-RPC 2.0 through', async (t) => {
  for (const text of [
    '{"jsonrpc":"2.0","id":0,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"0","method":"ping","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ]) {
    t.strictSame(read(text), [{ kind: 'message', message: JSON.parse(text) }], text);
  }
});

t.test('takes a batch apart', async (t) => {
  const kinds = read('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]').map(
    (one) => one.kind,
  );
  t.strictSame(kinds, ['message', 'message', 'noise']);
});

t.test('answers a request that it cannot serve where there is an id to answer', async (t) => {
  for (const [text, id] of [
    ['{"id":5,"method":"ping"}', 5],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['{"jsonrpc":"2.0","id":6,"method":7}', 6],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}', 7],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"_meta":{"progressToken":null}}}', 8],
  ] as const) {
    t.match(read(text), [{ kind: 'rejected', id, code: -32600 }], text);
  }
});

t.test('answers nothing where there is none', async (t) => {
  for (const text of [
    'hello',
    '{"jsonrpc":"2.0","id":1,"method":"pi',
    '7',
    'null',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
  ]) {
    t.match(read(text), [{ kind: 'noise' }], text);
  }
});

const oversize: readonly [what: string, head: string, tail: string, id: unknown][] = [
  ['an id in front', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${big}`, `${big}"}}`, 7],
  [
    'a text in front',
    `{"jsonrpc":"2.0","id":"a\\"b","method":"tools/call","params":{"a":"${big}`,
    `${big}"}}`,
    'a"b',
  ],
  [
    'an id at the end',
    `{"method":"tools/call","params":{"a":"${big}`,
    `${big}"},"jsonrpc":"2.0","id":12}`,
    12,
  ],
  [
    'an id at the end, then jsonrpc',
    `{"method":"tools/call","params":{"a":"${big}`,
    `"}, "id": -3 , "jsonrpc": "2.0" }`,
    -3,
  ],
  ['zero', `{"id":0,"method":"x","params":"${big}`, `${big}"}`, 0],
  [
    'an id only among the arguments',
    `{"method":"tools/call","params":{"id":7,"a":"${big}`,
    `${big}"}}`,
    undefined,
  ],
  [
    'an id in a nested value at the end',
    `{"method":"tools/call","params":{"a":"${big}`,
    `","id":7}}`,
    undefined,
  ],
  ['an id in a text at the end', `{"method":"tools/call","params":"${big}`, `,\\"id\\":7}"}`, undefined],
  ['a response', `{"jsonrpc":"2.0","id":7,"result":{"a":"${big}`, `${big}"}}`, undefined],
  ['a number that is none', `{"id":007,"method":"x","params":"${big}`, `${big}"}`, undefined],
  ['a text with an escape that is none', `{"id":"\\q","method":"x","params":"${big}`, `${big}"}`, undefined],
  ['a text with a control character', `{"id":"\u0001","method":"x","params":"${big}`, `${big}"}`, undefined],
  ['no JSON', big, big, undefined],
];
for (const [what, head, tail, id] of oversize) {
  t.test(`of a message too long to read, finds ${what}`, async (t) =>
    t.strictSame(salvageId(head, tail), id),
  );
}

t.test('a message too long to read is refused under its id', async (t) => {
  const line = {
    kind: 'oversize',
    head: `{"jsonrpc":"2.0","id":7,"method":"x","params":"${big}`,
    tail: big,
    bytes: 64e6,
  } as const;
  t.match(readLine(line), [{ kind: 'rejected', id: 7, code: -32600, message: /too large.*64000000 bytes/ }]);
});

t.test('an initialize that does not say whose it is gets an empty clientInfo', async (t) => {
  const infos: readonly [given: unknown, read: object][] = [
    [undefined, { name: '', version: '' }],
    [null, { name: '', version: '' }],
    ['claude', { name: '', version: '' }],
    [{}, { name: '', version: '' }],
    [
      { name: 7, version: '1' },
      { name: '', version: '1' },
    ],
    [{ name: 'mine' }, { name: 'mine', version: '' }],
    [
      { name: 'mine', version: '1', title: 'Mine' },
      { name: 'mine', version: '1', title: 'Mine' },
    ],
  ];
  for (const [clientInfo, wanted] of infos) {
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {}, clientInfo } };
    t.match(read(JSON.stringify(message)), [{ message: { params: { clientInfo: wanted } } }]);
  }
});
