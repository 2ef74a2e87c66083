import t from 'tap';
import { encodeLine, RawContent } from '../../../lib/gateway/stdio/outbound.js';

const line = (message: Parameters<typeof encodeLine>[0]) =>
  encodeLine(message)
    .map((piece) => piece.toString())
    .join('');

t.test('writes a message as one line', async (t) => {
  t.equal(
    line({ jsonrpc: '2.0', method: 'x', params: { a: 'b\nc' } }),
    '{"jsonrpc":"2.0","method":"x","params":{"a":"b\\nc"}}\n',
  );
});

t.test('puts content in as the JSON that it is', async (t) => {
  const content = new RawContent(Buffer.from('[{"type":"text","text":"ä"}]'));
  const plain = { jsonrpc: '2.0', id: '1', result: { content } } as const;
  t.equal(line(plain), '{"jsonrpc":"2.0","id":"1","result":{"content":[{"type":"text","text":"ä"}]}}\n');
  const more = {
    jsonrpc: '2.0',
    id: 0,
    result: { content, resultType: 'complete', _meta: { a: 1 } },
  } as const;
  t.strictSame(JSON.parse(line(more)), {
    jsonrpc: '2.0',
    id: 0,
    result: { content: [{ type: 'text', text: 'ä' }], resultType: 'complete', _meta: { a: 1 } },
  });
});
