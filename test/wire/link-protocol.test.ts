import t from 'tap';
import { commonProtocol, noCommonProtocol, saidOf, spokenBy } from '../../lib/wire/link-protocol.js';

const only = (version: number) => ({ oldest: version, newest: version });

t.test('two ends speak the newest version that both have', async (t) => {
  t.equal(commonProtocol(only(1), only(1)), 1);
  t.equal(commonProtocol({ oldest: 1, newest: 2 }, only(1)), 1);
  t.equal(commonProtocol({ oldest: 1, newest: 2 }, { oldest: 1, newest: 3 }), 2);
  t.equal(commonProtocol(only(1), { oldest: 2, newest: 3 }), undefined);
  t.equal(commonProtocol(only(3), { oldest: 1, newest: 2 }), undefined);
});

t.test('what a hello says is read as it was meant, and nothing else is believed', async (t) => {
  for (const spoken of [only(1), { oldest: 1, newest: 2 }]) t.strictSame(spokenBy(saidOf(spoken)), spoken);
  for (const said of [
    null,
    {},
    { protocol: '1' },
    { protocol: -1 },
    { protocol: 1.5 },
    { protocol: 2, protocol_max: 1 },
    { protocol: 1, protocol_max: '2' },
  ])
    t.equal(spokenBy(said), undefined, JSON.stringify(said));
});

t.test('the words say which end is the older, and what to do with it', async (t) => {
  const old = { version: '1.0.0', spoken: only(1) };
  const young = { version: '1.2.0', spoken: { oldest: 2, newest: 3 } };
  t.equal(
    noCommonProtocol(old, young),
    "the gateway (Leo 1.0.0) speaks version 1 of the link's protocol, the daemon (Leo 1.2.0) versions 2 to 3; the gateway is the older: restart the agent's session, and its harness starts the gateway that is installed now",
  );
  t.match(noCommonProtocol(young, old), /the daemon is the older: restart it with `leo service restart`/);
  t.match(
    noCommonProtocol({ version: undefined, spoken: undefined }, young),
    /the gateway speaks no known version .*; update the older of the two/,
  );
});
