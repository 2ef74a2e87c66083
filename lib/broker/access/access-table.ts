// Who may do what (design 10), as one table: each route of lib/wire/routes.ts against each role. Pure.
//
// What must stay true: default deny. A route that does not name a role answers it with 403, and a path that is
// no route is refused to the roles that have a fixed list of what they may do (devices, clients and the console).
// docs/operators.md shows this table, and a test holds the two against each other.

import { LeoError } from '../../wire/errors.js';
import { type Role, type Route, routes } from '../../wire/routes.js';
import { mayMessage } from './client-rules.js';
import type { Principal } from './principal.js';

/**
 * What a role may do at a route. `to watch`: read the events, but not become a provider of tools.
 * `named agents`: only where the name of the agent, as written, is one that the client may message.
 */
export type Grant = 'yes' | 'no' | 'to watch' | 'named agents';

/** A path that is no route. */
export const noRoute = undefined;

/** The cell of the table. */
export function grantOf(route: Route | typeof noRoute, role: Role): Grant {
  if (route === noRoute) return role === 'operator' || role === 'agent' ? 'yes' : 'no';
  if (route.roles === 'anyone') return 'yes';
  if (!route.roles.includes(role)) return 'no';
  if (role === 'agent' && route.path === routes.events.path) return 'to watch';
  if (role === 'client') return route.path === routes.message.path ? 'named agents' : 'no';
  return 'yes';
}

/**
 * Checks a caller against the table.
 *
 * @param agent the `{name}` of the path, as written: before any shorthand is looked up.
 * @throws {LeoError} `forbidden`.
 */
export function mustBeAllowed(
  route: Route | typeof noRoute,
  principal: Principal,
  agent: string | undefined,
): void {
  const grant = grantOf(route, principal.role);
  if (grant === 'named agents') return mustReach(principal, agent);
  if (grant !== 'no') return;
  const what = route === noRoute ? 'do this' : `${route.method} ${route.path}`;
  throw new LeoError('forbidden', `the role ${principal.role} may not ${what}`);
}

/**
 * Checks that a caller may message an agent; asked of the name as written, and again of the name that a
 * shorthand turned out to mean, so that no shorthand leads a client to an agent that was not named for it.
 *
 * @throws {LeoError} `forbidden`, in the same words whether or not there is such an agent.
 */
export function mustReach(principal: Principal | null, agent: string | undefined): void {
  if (principal === null || principal.role !== 'client') return;
  if (agent !== undefined && mayMessage(principal.canMessage, agent)) return;
  throw new LeoError(
    'forbidden',
    `the client ${principal.name} may not message ${JSON.stringify(agent ?? '')}; the operator can allow it: can_message in leo.yaml`,
  );
}

/** @throws {LeoError} `forbidden` for a caller that may only watch. */
export function mustOfferTools(principal: Principal): void {
  if (grantOf(routes.events, principal.role) === 'yes') return;
  throw new LeoError(
    'forbidden',
    'an agent may watch the events, but not offer tools; use a device or operator token',
  );
}
