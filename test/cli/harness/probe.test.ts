// `leo harness probe` as a user runs it, with a stand-in for Claude Code.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type HarnessEntry, parseHarnessCaps } from '../../../lib/config/harness-caps.js';
import { root } from '../../support/daemon.js';
import { runLeo, startLeo } from '../../support/run-leo.js';
import { installStandIn } from '../../support/stand-in-install.js';
import { isAlive, until } from '../../support/wait.js';

// Each test has places of its own, and mostly waits.
t.jobs = 4;

const builtIn = readFileSync(join(root, 'harnesscaps.json'), 'utf8');
const probe = ['harness', 'probe'];

/** An environment in which temporary files and LEO_HOME have a place of their own. */
function surroundings(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'leo-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return {
    folder,
    env: { ...process.env, TMPDIR: temporary, LEO_HOME: join(folder, 'home') },
    nothingLeft: () => {
      t.strictSame(readdirSync(temporary), [], 'no folder of a run is left');
      t.notOk(existsSync(join(folder, 'home')), 'LEO_HOME is not made');
    },
  };
}

const entry = (text: string): HarnessEntry => {
  const found = parseHarnessCaps(text, 'x').harnesses.find(({ name }) => name === 'claude-code');
  if (found === undefined) throw new Error('there is no claude-code in the table');
  return found;
};
const others = (text: string) =>
  parseHarnessCaps(text, 'x').harnesses.filter(({ name }) => name !== 'claude-code');

t.test('what was measured goes to stdout and into a new file, progress to stderr', async (t) => {
  const { folder, env, nothingLeft } = surroundings(t);
  const { folder: prefix } = installStandIn(t);
  const file = join(folder, 'new', 'caps.json');
  const ran = await runLeo(
    t,
    env,
    ...probe,
    'claude-code',
    'claude-code',
    '--quick',
    '--json',
    '--prefix',
    prefix,
    '--write',
    file,
  );
  t.equal(ran.code, 0);
  t.equal(ran.stderr, 'claude-code 9.8.7: done\n');
  const { reports, missing } = JSON.parse(ran.stdout);
  t.strictSame(missing, []);
  t.match(reports, [
    {
      name: 'claude-code',
      program: join(prefix, 'bin', 'claude'),
      version: '9.8.7',
      measured: /^\d{4}-\d\d-\d\d$/,
      sections: { relisting: { 'next turn': { value: 'yes', evidence: /tools\/list/ } } },
      failures: [],
    },
  ]);
  t.equal(reports.length, 1);
  const written = readFileSync(file, 'utf8');
  t.match(entry(written), { version: '9.8.7', relists: true, description_limit: 2048 });
  t.strictSame(others(written), [], 'what was not measured is not pinned');
  nothingLeft();
});

t.test('a file keeps what was not measured, with its own day and version', async (t) => {
  const { folder, env, nothingLeft } = surroundings(t);
  const { folder: prefix } = installStandIn(t, { relists: false });
  const file = join(folder, 'caps.json');
  const before = JSON.parse(builtIn);
  const index = before.harnesses.findIndex(({ name }: HarnessEntry) => name === 'claude-code');
  before.harnesses[index] = {
    ...before.harnesses[index],
    version: '1.0.0',
    measured: '2026-01-02',
    relists: true,
    call_limit_s: 77,
    figures: { results: { 'image block': { value: 'yes' } }, relisting: { 'next turn': { value: 'yes' } } },
  };
  writeFileSync(file, JSON.stringify(before));
  const ran = await runLeo(t, env, ...probe, 'claude-code', '--quick', '--prefix', prefix, '--write', file);
  t.equal(ran.code, 0);
  t.match(ran.stdout, /^HARNESS +VERSION +SAME TURN/);
  t.match(ran.stdout, /^claude-code +9\.8\.7 +no +no +no +- +- +-$/m);
  t.match(ran.stdout, `Written: ${file}\n`);
  const written = readFileSync(file, 'utf8');
  t.match(entry(written), {
    version: '9.8.7',
    relists: false,
    call_limit_s: 77,
    figures: {
      results: { 'image block': { value: 'yes', version: '1.0.0', measured: '2026-01-02' } },
      relisting: { 'next turn': { value: 'no', evidence: String } },
    },
  });
  t.strictSame(others(written), others(builtIn));
  nothingLeft();
});

t.test(
  'what somebody writes into the file meanwhile stays, and what breaks it loses no figure',
  async (t) => {
    const named = (relists: boolean) =>
      JSON.stringify({ format: 1, harnesses: [{ name: 'my-harness', relists }] });
    const rows: readonly [meanwhile: string, code: number, stderr: RegExp][] = [
      [named(true), 0, /^claude-code 9\.8\.7: done\n$/],
      ['{ "format": 1, ', 1, /caps\.json line 1 is not JSON: .*; mend it\n$/],
    ];
    for (const [meanwhile, code, stderr] of rows) {
      const { folder, env, nothingLeft } = surroundings(t);
      const children = join(folder, 'children');
      const { folder: prefix } = installStandIn(t, { children });
      const file = join(folder, 'caps.json');
      writeFileSync(file, named(false));
      const leo = startLeo(t, env, ...probe, 'claude-code', '--quick', '--prefix', prefix, '--write', file);
      await until('the harness runs', () => existsSync(children));
      writeFileSync(file, meanwhile);
      const ran = await leo.ended;
      t.equal(ran.code, code, ran.stderr);
      t.match(ran.stderr, stderr);
      t.match(ran.stdout, /^claude-code +9\.8\.7 /m);
      const { harnesses } = code === 0 ? JSON.parse(readFileSync(file, 'utf8')) : { harnesses: [] };
      const names = harnesses.map((one: { name: string; relists: boolean }) => [one.name, one.relists]);
      const wanted = [
        ['my-harness', true],
        ['claude-code', true],
      ];
      t.strictSame(names, code === 0 ? wanted : []);
      if (code !== 0) t.equal(readFileSync(file, 'utf8'), meanwhile);
      nothingLeft();
    }
  },
);

t.test('what cannot be done is said before anything is started', async (t) => {
  const { folder, env, nothingLeft } = surroundings(t);
  const children = join(folder, 'children');
  const { folder: prefix } = installStandIn(t, { children });
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{ "format": 1, ');
  const readOnly = join(folder, 'read-only.json');
  writeFileSync(readOnly, builtIn, { mode: 0o444 });
  const rows: readonly [args: readonly string[], code: number, words: RegExp][] = [
    [['bogus'], 2, /there is no harness bogus; there are claude-code, codex, /],
    [['--quick', '--long'], 2, /--quick and --long exclude each other/],
    [['cline'], 1, /no harness was found on PATH or below \/.*: cline\n$/],
    [['claude-code', '--write', broken], 1, /broken\.json line 1 is not JSON: .*; mend it\n$/],
    [['claude-code', '--write', readOnly], 1, /read-only\.json is read-only: chmod u\+w /],
    [['claude-code', '--write', folder], 1, /is not a file; move it away\n$/],
  ];
  await Promise.all(
    rows.map(async ([args, code, words]) => {
      const ran = await runLeo(t, env, ...probe, ...args, '--prefix', prefix);
      t.equal(ran.code, code, args.join(' '));
      t.match(ran.stderr, words);
      t.equal(ran.stdout, '');
    }),
  );
  t.equal(readFileSync(broken, 'utf8'), '{ "format": 1, ');
  t.equal(readFileSync(readOnly, 'utf8'), builtIn);
  t.notOk(existsSync(children), 'no harness was started');
  nothingLeft();
});

t.test('a harness that could not be measured is named with the reason, and its entry stays', async (t) => {
  const { folder, env, nothingLeft } = surroundings(t);
  const { folder: prefix } = installStandIn(t, { fails: 'there is no licence\n' });
  const file = join(folder, 'caps.json');
  writeFileSync(file, builtIn);
  const ran = await runLeo(t, env, ...probe, 'claude-code', '--quick', '--prefix', prefix, '--write', file);
  t.equal(ran.code, 1);
  t.match(ran.stdout, /^claude-code: re-listing was not measured: .*there is no licence$/m);
  t.equal(ran.stderr, 'claude-code 9.8.7: done, 1 could not be measured\n');
  t.strictSame(entry(readFileSync(file, 'utf8')), entry(builtIn));
  nothingLeft();
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  t.test(`${signal} ends the harness that runs, and all that it started`, async (t) => {
    const { folder, env, nothingLeft } = surroundings(t);
    const children = join(folder, 'children');
    const { folder: prefix } = installStandIn(t, { hangs: 'after the call', children });
    const leo = startLeo(t, env, ...probe, 'claude-code', '--prefix', prefix);
    await until('the harness runs', () => existsSync(children));
    leo.child.kill(signal);
    leo.child.kill(signal);
    const ran = await leo.ended;
    t.equal(ran.code, 1);
    t.match(ran.stderr, /leo: stopped; every harness that was started has been ended\n$/);
    t.equal(ran.stdout, '');
    for (const pid of JSON.parse(readFileSync(children, 'utf8')) as number[])
      await until(`process ${pid} is gone`, () => !isAlive(pid));
    nothingLeft();
  });
}
