import fc from 'fast-check';
import t from 'tap';
import { Deadlines } from '../../../lib/broker/core/deadlines.js';

t.test('entries come out in the order of their times, none early, none lost', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 })),
        fc.integer({ min: 0, max: 50 }),
        (times, now) => {
          const deadlines = new Deadlines<number>();
          for (const time of times) deadlines.add(time, time);
          const taken: number[] = [];
          for (let due = deadlines.takeDue(now); due !== undefined; due = deadlines.takeDue(now))
            taken.push(due);
          const expected = times.filter((time) => time <= now).sort((x, y) => x - y);
          const later = times.filter((time) => time > now);
          return (
            JSON.stringify(taken) === JSON.stringify(expected) &&
            deadlines.size === later.length &&
            deadlines.next === (later.length === 0 ? undefined : Math.min(...later))
          );
        },
      ),
    ),
  );
});

t.test('a rebuild keeps what matters, in order', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
        const deadlines = new Deadlines<number>();
        for (const time of times) deadlines.add(time, time);
        deadlines.keep((time) => time % 2 === 0);
        const taken: number[] = [];
        for (let due = deadlines.takeDue(99); due !== undefined; due = deadlines.takeDue(99)) taken.push(due);
        return (
          JSON.stringify(taken) ===
          JSON.stringify(times.filter((time) => time % 2 === 0).sort((x, y) => x - y))
        );
      }),
    ),
  );
});
