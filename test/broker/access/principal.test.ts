import t from 'tap';
import { principalOf } from '../../../lib/broker/access/principal.js';

const ownerOf = (token: string) =>
  token === 'good' ? ({ role: 'agent', name: 'agent', proof: 'ab' } as const) : undefined;

t.test('who is calling', async (t) => {
  t.equal(principalOf('socket', undefined, ownerOf).role, 'operator', 'a peer of the socket');
  t.equal(principalOf('socket', 'Bearer good', ownerOf).role, 'agent', 'a token on the socket narrows');
  t.equal(principalOf('tcp', 'Bearer good', ownerOf).role, 'agent');
  const refused = [
    '',
    'good',
    'Bearer',
    'Bearer ',
    'Bearer  good',
    'bearer good',
    'BEARER good',
    'Basic good',
    'Bearer good ',
    'Bearer good more',
    'Bearer göod',
    `Bearer ${'x'.repeat(10_000)}`,
    'Bearer bad',
  ];
  for (const header of refused) {
    for (const listener of ['tcp', 'socket'] as const)
      t.throws(
        () => principalOf(listener, header, ownerOf),
        { code: 'unauthorized' },
        `${listener} ${header.slice(0, 20)}`,
      );
  }
  t.throws(() => principalOf('tcp', undefined, ownerOf), { code: 'unauthorized' });
});
