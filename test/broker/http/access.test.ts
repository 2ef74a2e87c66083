import t from 'tap';
import { mustBeAllowed, principalOf } from '../../../lib/broker/http/access.js';
import { allRoles, type Route, routes } from '../../../lib/wire/routes.js';

const ownerOf = (token: string) =>
  token === 'good' ? ({ role: 'agent', name: 'agent' } as const) : undefined;

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

t.test('a route lets in the roles that it names and nobody else', async (t) => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    for (const role of allRoles) {
      const ask = () => mustBeAllowed(route, { role, name: role });
      if (route.roles === 'anyone' || route.roles.includes(role)) t.doesNotThrow(ask, `${role} ${name}`);
      else t.throws(ask, { code: 'forbidden' }, `${role} ${name}`);
    }
  }
  t.throws(
    () => mustBeAllowed({ ...routes.health, roles: [] }, { role: 'operator', name: 'operator' }),
    { code: 'forbidden' },
    'a new route names nobody',
  );
});
