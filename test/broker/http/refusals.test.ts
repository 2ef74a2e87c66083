import t from 'tap';
import { Refusals } from '../../../lib/broker/http/refusals.js';
import { LeoError } from '../../../lib/wire/errors.js';

t.test('who is turned away is told once a minute, all else to those who look for a fault', async (t) => {
  let now = 1_000_000;
  const lines: string[] = [];
  const counted: string[] = [];
  const refusals = new Refusals({
    clock: () => now,
    count: (code) => counted.push(code),
    log: (line) => lines.push(line),
    debug: (line) => lines.push(`debug: ${line}`),
  });
  const route = '/api/v1/agents';
  const rows = [
    [0, 'unauthorized', { method: 'GET', route }, 'refused: unauthorized GET /api/v1/agents unknown'],
    [
      1000,
      'unauthorized',
      { method: 'GET', route },
      'debug: refused: unauthorized GET /api/v1/agents unknown',
    ],
    [
      0,
      'forbidden',
      { method: 'GET', route, role: 'device' },
      'refused: forbidden GET /api/v1/agents device',
    ],
    [0, 'not_found', { method: 'GET', role: 'operator' }, 'debug: refused: not_found GET no route operator'],
    [59_000, 'unauthorized', { method: 'GET', route }, 'refused: unauthorized GET /api/v1/agents unknown'],
  ] as const;
  for (const [laterMs, code, request, line] of rows) {
    now += laterMs;
    refusals.refused(new LeoError(code, 'secret'), request);
    t.equal(lines.pop(), line);
  }
  t.strictSame(
    counted,
    rows.map(([, code]) => code),
  );
  t.strictSame(lines, []);
});
