import { existsSync, readdirSync } from 'node:fs';
import t from 'tap';
import { applyPlan, findEntry, planEntry, planRemoval } from '../../lib/setup/index.js';
import { emptySurroundings, entry, everywhere } from './surroundings.js';

for (const { harness, scope } of everywhere) {
  t.test(
    `${harness}, ${scope}: an entry is written, found again, and taken out without a trace`,
    async (t) => {
      const surroundings = emptySurroundings(t);
      const plan = await planEntry(harness, entry, scope, surroundings);
      await applyPlan(plan);
      t.same(
        (await planEntry(harness, entry, scope, surroundings)).changes,
        [],
        'a second time changes nothing',
      );
      t.same((await findEntry(harness, 'leo', scope, surroundings))?.entry, entry);
      const before = { entry: undefined, madeParent: true, madeFile: true };
      const removal = await planRemoval(harness, 'leo', scope, surroundings, before);
      await applyPlan(removal);
      t.equal(removal.changes.length, 1);
      t.notOk(existsSync(removal.changes[0]?.path ?? '/'));
    },
  );
}

t.test('a plan alone changes nothing', async (t) => {
  const surroundings = emptySurroundings(t);
  for (const { harness, scope } of everywhere) await planEntry(harness, entry, scope, surroundings);
  t.same(readdirSync(surroundings.home, { recursive: true }), ['project']);
});
