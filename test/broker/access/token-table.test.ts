import t from 'tap';
import { TokenTable } from '../../../lib/broker/access/token-table.js';

const token = (digit: string) => digit.repeat(64);
const table = new TokenTable([
  { token: token('0'), holder: { role: 'operator', name: 'operator' } },
  { token: token('1'), holder: { role: 'device', name: 'phone' } },
  { token: token('2'), holder: { role: 'client', name: 'phone', canMessage: ['rocket'] } },
]);

t.test('a token is its holder\u2019s, and nothing like it is anybody\u2019s', async (t) => {
  t.match(table.ownerOf(token('0')), { role: 'operator', name: 'operator' });
  t.match(table.ownerOf(token('1')), { role: 'device', name: 'phone' });
  t.match(table.ownerOf(token('2')), { role: 'client', name: 'phone', canMessage: ['rocket'] });
  for (const other of ['', '0', token('3'), token('0').slice(1), `${token('0')}0`, 'x'.repeat(10_000), 'ä'])
    t.equal(table.ownerOf(other), undefined, other.slice(0, 10));
  t.notMatch(JSON.stringify(table.ownerOf(token('0'))), token('0'), 'the token itself is not kept');
});

t.test('a caller is held while its token is the same and still its own', async (t) => {
  const phone = table.ownerOf(token('1'));
  if (phone === undefined) throw new Error('the phone is known');
  t.ok(table.holds(phone));
  t.ok(table.holds({ role: 'operator', name: 'operator', proof: null }), 'a peer of the socket shows none');
  const rows = [
    ['removed', []],
    ['rotated', [{ token: token('4'), holder: { role: 'device', name: 'phone' } }]],
    ['given to another', [{ token: token('1'), holder: { role: 'device', name: 'pad' } }]],
    ['of another role', [{ token: token('1'), holder: { role: 'agent', name: 'phone' } }]],
  ] as const;
  for (const [what, tokens] of rows) t.notOk(new TokenTable(tokens).holds(phone), what);
});
