import t from 'tap';
import { addressesFor, reachable } from '../../../lib/broker/http/addresses.js';

t.test('loopback is listened on, whatever else is', async (t) => {
  for (const [bind, beside, host] of [
    ['127.0.0.1', ['::1'], '127.0.0.1'],
    ['::1', [], '[::1]'],
    ['localhost', [], 'localhost'],
    ['0.0.0.0', ['::1'], '127.0.0.1'],
    ['::', [], '127.0.0.1'],
    ['172.17.0.1', ['127.0.0.1', '::1'], '172.17.0.1'],
    ['fd00::1', ['127.0.0.1', '::1'], '[fd00::1]'],
    ['my-mac.local', ['127.0.0.1', '::1'], 'my-mac.local'],
  ] as const) {
    t.strictSame(addressesFor(bind), { first: bind, beside }, bind);
    t.equal(reachable(bind), host, bind);
  }
});
