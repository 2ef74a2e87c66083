import t from 'tap';
import { principalOf } from '../../../lib/broker/access/principal.js';

const ownerOf = (token: string) =>
  token === 'good' ? ({ role: 'agent', name: 'agent', proof: 'ab' } as const) : undefined;

t.test('who is calling', async (t) => {
  t.equal(
    principalOf('socket', { authorization: undefined }, ownerOf).role,
    'operator',
    'a peer of the socket',
  );
  t.equal(
    principalOf('socket', { authorization: 'Bearer good' }, ownerOf).role,
    'agent',
    'a token on the socket narrows',
  );
  t.equal(principalOf('tcp', { authorization: 'Bearer good' }, ownerOf).role, 'agent');
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
        () => principalOf(listener, { authorization: header }, ownerOf),
        { code: 'unauthorized' },
        `${listener} ${header.slice(0, 20)}`,
      );
  }
  t.throws(() => principalOf('tcp', { authorization: undefined }, ownerOf), { code: 'unauthorized' });
});

t.test('a session of the console counts on TCP and on the socket, where no token is shown', async (t) => {
  const page = { role: 'console', name: 'console', proof: 'cd' } as const;
  for (const listener of ['tcp', 'socket'] as const) {
    const console = () => page;
    t.equal(principalOf(listener, { authorization: undefined, console }, ownerOf).role, 'console', listener);
    t.equal(
      principalOf(listener, { authorization: 'Bearer good', console }, ownerOf).role,
      'agent',
      listener,
    );
    t.throws(() => principalOf(listener, { authorization: 'Bearer bad', console }, ownerOf), {
      code: 'unauthorized',
    });
  }
});
