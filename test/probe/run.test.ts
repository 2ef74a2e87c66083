// One run, whose story goes wrong: whatever it still does, nothing of it is left.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type Run, withRun } from '../../lib/probe/run.js';
import { myTool, offeredOf } from '../../lib/probe/server/probe-tools.js';
import { standIn } from '../support/stand-in-install.js';
import { isAlive, until } from '../support/wait.js';

// A place of its own for temporary files, so that what is left in it is these runs'.
const temporary = mkdtempSync(join(tmpdir(), 'leo-'));
process.env.TMPDIR = temporary;
t.teardown(() => rmSync(temporary, { recursive: true, force: true }));

const content = { tools: () => [myTool.listed], call: () => 'never' as const };
const left = () => readdirSync(temporary).filter((name) => name.startsWith('leo-probe-'));

t.test(
  'a story is told with the harness, its server and its model, and then all of it is gone',
  async (t) => {
    let run: Run | undefined;
    const pids = await withRun({ ...standIn(t), content }, async (told) => {
      run = told;
      const harness = told.once('Go.');
      const turn = await told.conversation.next();
      t.strictSame(turn.request.prompts, ['Go.']);
      t.ok(offeredOf(turn.request, myTool));
      t.equal(left().length, 1);
      return [harness.pid, ...told.server.living()];
    });
    t.equal(pids.length, 2);
    for (const pid of pids) await until(`process ${pid} is gone`, () => !isAlive(pid));
    t.strictSame(left(), []);
    t.throws(() => run?.once('Again.'), { message: 'the run is over' });
  },
);

t.test('a story that is given up waits for nothing more, and starts nothing more', async (t) => {
  const stop = new AbortController();
  const after: unknown[] = [];
  let started = 0;
  const running = withRun({ ...standIn(t), content, signal: stop.signal }, async (run) => {
    const { process, session } = await run.session();
    started = process.pid;
    const turn = session.prompt('Go.');
    const first = await run.conversation.next();
    const offered = offeredOf(first.request, myTool);
    if (offered === undefined) throw new Error('my_tool is not offered');
    const waits = [
      first.call(offered),
      run.trace.until(() => false, 60_000),
      turn,
      process.ended.then(() => run.resumed('More.')),
    ];
    setImmediate(() => stop.abort());
    for (const { status, ...how } of await Promise.allSettled(waits))
      after.push('reason' in how ? how.reason.message : status);
  });
  await t.rejects(running, { name: 'ProbeError', message: 'stopped' });
  await until('every wait is over', () => after.length === 4);
  t.match(after, [
    /^(the run is over|the harness ended too early)/,
    'fulfilled',
    /^the harness ended \(SIGKILL\)/,
    'the run is over',
  ]);
  await until('the harness is gone', () => !isAlive(started));
  t.strictSame(left(), []);
});

t.test(
  'an error of the story is the error of the run, with what the model was asked for in vain',
  async (t) => {
    const story = async (run: Run) => {
      run.once('Go.');
      await run.conversation.next();
      throw new Error('it is not offered');
    };
    await t.rejects(withRun({ ...standIn(t), content }, story), { message: 'it is not offered' });
    await t.rejects(withRun({ ...standIn(t, { asksFor: '/v1/licence' }), content }, story), {
      message:
        'it is not offered (the scripted model was asked for POST /v1/licence, which it does not have)',
    });
    t.strictSame(left(), []);
  },
);
