// The table of docs/operators.md that says who may do what, read back.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grant } from '../../lib/broker/access/access-table.js';
import { type Role, type Route, routes } from '../../lib/wire/routes.js';
import { root } from './daemon.js';

export interface AccessRow {
  /** As the page has it: `GET /health`, with `{name}` for a parameter; or `any other path`. */
  readonly title: string;
  /** Undefined for `any other path`. */
  readonly route: Route | undefined;
  readonly cells: Readonly<Record<Role | 'nobody', Grant>>;
}

const columns = ['operator', 'console', 'device', 'agent', 'client', 'nobody'] as const;
const grants: readonly Grant[] = ['yes', 'no', 'to watch', 'named agents'];

/** @throws {Error} for a cell or a route that means nothing. */
export function accessPage(): readonly AccessRow[] {
  const page = readFileSync(join(root, 'docs', 'operators.md'), 'utf8');
  const [, section = ''] = page.split('## Who may do what');
  const [head = '', , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  const expected = ['route', 'operator', 'console', 'device', 'agent', 'client', 'without a token'];
  if (cellsOf(head).join() !== expected.join()) throw new Error(`the table's head is ${head}`);
  return rows.slice(0, rows.findIndex((row) => row.includes('any other path')) + 1).map((row) => {
    const [first = '', ...cells] = cellsOf(row);
    const title = first.replaceAll('`', '');
    const named = Object.fromEntries(columns.map((column, i) => [column, grantIn(cells[i], row)]));
    return { title, route: routeOf(title), cells: named as AccessRow['cells'] };
  });
}

/** A route as the page names it. */
export function titleOf({ method, path }: Route): string {
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

function routeOf(title: string): Route | undefined {
  if (title === 'any other path') return undefined;
  const route = Object.values<Route>(routes).find((one) => titleOf(one) === title);
  if (route === undefined) throw new Error(`there is no route ${title}`);
  return route;
}

function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function grantIn(cell: string | undefined, row: string): Grant {
  const grant = grants.find((one) => one === cell);
  if (grant === undefined) throw new Error(`"${cell}" in ${row}`);
  return grant;
}
