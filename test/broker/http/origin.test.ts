import t from 'tap';
import { checkHostAndOrigin } from '../../../lib/broker/http/origin.js';

const rules = { port: 8370, allowedHosts: ['leo.test'] };
const check = (hosts: readonly string[], origins: readonly string[] = [], target = '/health') => {
  try {
    checkHostAndOrigin({ hosts, origins, target }, rules);
    return 'allowed';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

t.test('the Host must be loopback or allowed, with our port or none', async (t) => {
  const table: [readonly string[], string][] = [
    [['127.0.0.1:8370'], 'allowed'],
    [['127.0.0.1'], 'allowed'],
    [['localhost:8370'], 'allowed'],
    [['LOCALHOST:8370'], 'allowed'],
    [['[::1]:8370'], 'allowed'],
    [['[::1]'], 'allowed'],
    [['leo.test:8370'], 'allowed'],
    [['LEO.test'], 'allowed'],
    [[], 'forbidden'],
    [['127.0.0.1:8370', '127.0.0.1:8370'], 'forbidden'],
    [[''], 'forbidden'],
    [['127.0.0.1:8371'], 'forbidden'],
    [['evil.example'], 'forbidden'],
    [['evil.example:8370'], 'forbidden'],
    [['localhost.evil.example'], 'forbidden'],
    [['localhost.'], 'forbidden'],
    [['127.0.0.1.evil.example:8370'], 'forbidden'],
    [['::1'], 'forbidden'],
    [['[::1'], 'forbidden'],
    [['127.0.0.1:'], 'forbidden'],
    [['127.0.0.1:8370@evil.example'], 'forbidden'],
    [['0.0.0.0:8370'], 'forbidden'],
    [['x.leo.test'], 'forbidden'],
  ];
  for (const [hosts, expected] of table) t.equal(check(hosts), expected, JSON.stringify(hosts));
});

t.test('an Origin, if any, must be of the same kind', async (t) => {
  const table: [readonly string[], string][] = [
    [['http://127.0.0.1:8370'], 'allowed'],
    [['http://localhost:8370'], 'allowed'],
    [['http://[::1]:8370'], 'allowed'],
    [['https://leo.test'], 'allowed'],
    [['null'], 'forbidden'],
    [[''], 'forbidden'],
    [['http://127.0.0.1:3000'], 'forbidden'],
    [['http://localhost.evil.example'], 'forbidden'],
    [['http://127.0.0.1:8370.evil.example'], 'forbidden'],
    [['http://evil.example'], 'forbidden'],
    [['http://user@localhost:8370'], 'forbidden'],
    [['file://'], 'forbidden'],
    [['http://127.0.0.1:8370', 'http://evil.example'], 'forbidden'],
  ];
  for (const [origins, expected] of table)
    t.equal(check(['localhost'], origins), expected, JSON.stringify(origins));
});

t.test('an absolute request target is refused', async (t) => {
  t.equal(check(['localhost'], [], 'http://localhost:8370/health'), 'forbidden');
  t.equal(check(['localhost'], [], '*'), 'forbidden');
});
