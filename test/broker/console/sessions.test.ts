// Who is signed in to the console, and for how long; which links sign in.

import t from 'tap';
import { newSecret } from '../../../lib/broker/console/secrets.js';
import { ConsoleSessions, idleMs, maxAgeMs } from '../../../lib/broker/console/sessions.js';
import { codeLifeMs, maxWrongCodes, SignInCodes } from '../../../lib/broker/console/sign-in-codes.js';

const secretsOf = () => ({ cookie: newSecret(), header: newSecret() });
const shown = ({ cookie, header }: { cookie: string; header: string }) => ({ cookies: [cookie], header });

t.test('a session ends unused after a week, and used after thirty days', async (t) => {
  const sessions = new ConsoleSessions([]);
  const secrets = secretsOf();
  const { id } = sessions.open(secrets, 0);
  t.ok(sessions.find(shown(secrets), idleMs - 1));
  t.notOk(sessions.find(shown(secrets), idleMs));
  for (let now = 0; now < maxAgeMs; now += idleMs / 2) sessions.use(id, now);
  t.ok(sessions.holds(id, maxAgeMs - 1));
  t.notOk(sessions.holds(id, maxAgeMs));
  t.ok(sessions.sweep(maxAgeMs));
  t.notOk(sessions.sweep(maxAgeMs));
  t.strictSame(sessions.list, []);
});

t.test('a use is written down at most once an hour', async (t) => {
  const sessions = new ConsoleSessions([]);
  const { id } = sessions.open(secretsOf(), 0);
  t.strictSame(
    [1, 3_599_999, 3_600_000, 3_600_001].map((now) => sessions.use(id, now)),
    [false, false, true, false],
  );
  t.notOk(sessions.use('nobody', 9e9));
});

t.test('the seventeenth browser signs out the one that was unused for longest', async (t) => {
  const sessions = new ConsoleSessions([]);
  const first = sessions.open(secretsOf(), 0).id;
  const second = sessions.open(secretsOf(), 1).id;
  sessions.use(first, 3_600_001);
  for (let now = 2; now < 17; now++) sessions.open(secretsOf(), now);
  t.equal(sessions.list.length, 16);
  t.ok(sessions.holds(first, 20), 'it was used since');
  t.notOk(sessions.holds(second, 20));
});

t.test('what is no secret finds nothing, whatever it is', async (t) => {
  const sessions = new ConsoleSessions([]);
  const secrets = secretsOf();
  sessions.open(secrets, 0);
  for (const bad of ['', 'x', 'é'.repeat(43), 'A'.repeat(43), 'A'.repeat(100_000)]) {
    t.notOk(sessions.find({ cookies: [bad], header: secrets.header }, 1));
    t.notOk(sessions.find({ cookies: [secrets.cookie], header: bad }, 1));
  }
});

t.test('a code signs in once, within a minute', async (t) => {
  const codes = new SignInCodes();
  const code = newSecret();
  t.equal(codes.add(code, 0), codeLifeMs);
  t.ok(codes.redeem(code, codeLifeMs - 1));
  t.notOk(codes.redeem(code, codeLifeMs - 1));
  codes.add(code, 0);
  t.notOk(codes.redeem(code, codeLifeMs));
});

t.test('guesses make every link void, and the next one counts anew', async (t) => {
  const codes = new SignInCodes();
  const code = newSecret();
  codes.add(code, 0);
  for (let i = 1; i < maxWrongCodes; i++) t.notOk(codes.redeem(newSecret(), 1));
  t.ok(codes.redeem(code, 1), 'one guess before');
  codes.add(code, 2);
  codes.add(newSecret(), 2);
  for (let i = 0; i < maxWrongCodes; i++) codes.redeem(newSecret(), 3);
  t.notOk(codes.redeem(code, 3));
  codes.add(code, 4);
  t.ok(codes.redeem(code, 4));
});

t.test('the ninth link makes the first one void', async (t) => {
  const codes = new SignInCodes();
  const all = Array.from({ length: 9 }, newSecret);
  for (const code of all) codes.add(code, 0);
  t.strictSame(
    all.map((code) => codes.redeem(code, 1)),
    [false, ...Array<boolean>(8).fill(true)],
  );
});
