import t from 'tap';
import { grantOf, mustBeAllowed, mustReach, noRoute } from '../../../lib/broker/access/access-table.js';
import type { Principal } from '../../../lib/broker/access/principal.js';
import { allRoles, type Role, type Route, routes } from '../../../lib/wire/routes.js';

const principalOf = (role: Role): Principal =>
  role === 'client'
    ? { role, name: 'docker-scout', proof: 'ab', canMessage: ['rocket', 'build-*'] }
    : { role, name: role, proof: 'ab' };

t.test('a role is let in where the table says so, and nowhere else', async (t) => {
  for (const [name, route] of [...Object.entries<Route>(routes), ['no route', noRoute] as const]) {
    for (const role of allRoles) {
      const ask = () => mustBeAllowed(route, principalOf(role), 'rocket');
      if (grantOf(route, role) === 'no') t.throws(ask, { code: 'forbidden' }, `${role} ${name}`);
      else t.doesNotThrow(ask, `${role} ${name}`);
    }
  }
});

t.test('a new route is open to nobody, and to a client only the message route ever is', async (t) => {
  const fresh: Route = { ...routes.registered, path: '/api/v1/new', roles: [] };
  for (const role of allRoles) t.equal(grantOf(fresh, role), 'no', role);
  for (const route of Object.values<Route>(routes)) {
    if (route.roles !== 'anyone' && route.path !== routes.message.path)
      t.equal(grantOf({ ...route, roles: allRoles }, 'client'), 'no', route.path);
  }
});

t.test('a client reaches the names that it was given, as written', async (t) => {
  const rows: readonly (readonly [string | undefined, boolean])[] = [
    ['rocket', true],
    ['build-', true],
    ['build-2', true],
    ['build-x/../rocket2', true],
    ['Rocket', false],
    ['ROCKET', false],
    ['rocket-2', false],
    ['ocket', false],
    ['the-rocket', false],
    ['rocket ', false],
    [' rocket', false],
    ['rocket\n', false],
    ['rocke', false],
    ['build', false],
    ['*', false],
    ['', false],
    [undefined, false],
  ];
  for (const [name, may] of rows) {
    const ask = () => mustReach(principalOf('client'), name);
    if (may) t.doesNotThrow(ask, String(name));
    else t.throws(ask, { code: 'forbidden' }, String(name));
    for (const role of ['operator', 'agent'] as const)
      t.doesNotThrow(() => mustReach(principalOf(role), name), role);
  }
});
