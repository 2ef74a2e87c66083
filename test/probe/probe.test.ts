// The probe with a stand-in for Claude Code that goes wrong; test/probe/measure has one that behaves.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { Subject } from '../../lib/probe/measure/subject.js';
import type { Patience } from '../../lib/probe/patience.js';
import { type ProbeDepth, probe } from '../../lib/probe/probe.js';
import { installStandIn, type Switches, shortPatience, subjectOf } from '../support/stand-in-install.js';
import { isAlive, until } from '../support/wait.js';

const probed = (subjects: readonly Subject[], depth: ProbeDepth, onStep = () => {}) =>
  probe(subjects, { depth, day: '2026-12-01', onStep }, () => undefined);

/** Waits until the processes are gone whose pids a stand-in wrote down. */
async function gone(file: string): Promise<void> {
  for (const pid of JSON.parse(readFileSync(file, 'utf8')) as number[])
    await until(`process ${pid} is gone`, () => !isAlive(pid));
}

// A place of its own for temporary files, so that what is left in it is this probe's.
const temporary = mkdtempSync(join(tmpdir(), 'leo-'));
process.env.TMPDIR = temporary;
t.teardown(() => rmSync(temporary, { recursive: true, force: true }));

const faults: readonly [what: string, Switches, limits: Partial<Patience>, why: RegExp, version: string][] = [
  [
    'hangs at the start',
    { hangs: 'at the start' },
    { requestMs: 6000 },
    /^the harness asked its model nothing for 6 s$/,
    '9.8.7',
  ],
  [
    'hangs after the call',
    { hangs: 'after the call' },
    { runMs: 6000 },
    /^the harness hung: it was not done after 6 s: /,
    '9.8.7',
  ],
  [
    'exits at once with an error',
    { fails: 'there is no licence\n' },
    {},
    /^the harness ended (too early )?\(exit code 3\): there is no licence$/,
    '9.8.7',
  ],
  [
    'hangs when it is asked for its version',
    { hangs: 'at --version' },
    { versionMs: 1000 },
    /bin\/bad-3 --version hung: it was not done after 1 s$/,
    'unknown',
  ],
  [
    'wants of its model what is unknown, and ends',
    { asksFor: '/v1/licence', fails: 'there is no licence\n' },
    {},
    /there is no licence \(the scripted model was asked for POST \/v1\/licence, which it does not have\)$/,
    '9.8.7',
  ],
];
const title = 'a harness that goes wrong is reported and ended with its children, and the next is measured';
t.test(title, async (t) => {
  const prefix = installStandIn(t);
  const children = (index: number) => join(prefix.folder, `children-${index}`);
  const bad = faults.map(([, switches, limits], index) =>
    subjectOf(prefix.add(`bad-${index}`, { ...switches, children: children(index) }), {
      patience: { ...shortPatience, ...limits },
    }),
  );
  const good = subjectOf(prefix.add('good'));
  // Beside one another, since they mostly wait; the first with one after it that is well.
  const runs = await Promise.all(
    bad.map((subject, index) => probed(index === 0 ? [subject, good] : [subject], 'quick')),
  );
  for (const [index, [what, , , why, version]] of faults.entries()) {
    const report = runs[index]?.[0];
    t.strictSame(report?.sections, {}, what);
    t.equal(report?.version, version, what);
    t.match(report?.failures, [{ what: String, why }], what);
    t.equal(report?.failures.length, 1, what);
    if (version !== 'unknown') await gone(children(index));
  }
  const after = runs[0]?.[1];
  t.strictSame(after?.failures, []);
  t.equal(after?.sections.relisting?.['next turn']?.value, 'yes');
});

t.test('what is no message, and a version that is none, are no faults of the probe', async (t) => {
  const program = installStandIn(t).add('claude', { saysNoJson: true, version: 'soon\n' });
  const [report] = await probed([subjectOf(program)], 'quick');
  t.strictSame(report?.failures, []);
  t.equal(report?.version, 'unknown');
  t.equal(report?.sections.relisting?.['same turn, in a session']?.value, 'yes');
});

t.test('a program that is not there is reported', async (t) => {
  const prefix = installStandIn(t);
  const [report] = await probed([subjectOf(join(prefix.folder, 'nothing'))], 'usual');
  t.strictSame(report?.sections, {});
  t.match(report?.failures, [{ what: 'version', why: /nothing --version: not started: .*ENOENT/ }]);
});

t.test('a signal ends what runs at once, and starts nothing more', async (t) => {
  const prefix = installStandIn(t);
  const children = join(prefix.folder, 'children');
  const program = prefix.add('claude', { hangs: 'after the call', children });
  const stop = new AbortController();
  const running = probed(
    [subjectOf(program, { signal: stop.signal }), subjectOf(program, { signal: stop.signal })],
    'usual',
  );
  await until('the harness runs', () => existsSync(children));
  stop.abort();
  const reports = await running;
  for (const { failures, sections } of reports) {
    t.strictSame(sections, {});
    t.ok(failures.length > 0 && failures.every(({ why }) => why === 'stopped'), JSON.stringify(failures));
  }
  await gone(children);
});

t.test('no folder of any of these runs is left', async (t) => {
  t.strictSame(
    readdirSync(temporary).filter((name) => name.startsWith('leo-probe-')),
    [],
  );
});
