// One daemon per home, whatever stands in the home's places (design 4).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { readDaemonFile } from '../../lib/config/daemon-file.js';
import { placesOf } from '../../lib/config/paths.js';
import { leo, startDaemon, temporaryHome } from '../support/daemon.js';
import { http } from '../support/http.js';
import { startToEnd } from '../support/refused-start.js';
import { until } from '../support/wait.js';

const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
const stateOf = (home: string) => join(home, 'state');

await t.test('of twenty daemons that start at once one lives, and the others say who runs', async (t) => {
  const home = temporaryHome(t);
  const starts = Array.from({ length: 20 }, () => {
    const child = spawn(process.execPath, [leo, 'daemon', '--port', '0'], {
      env: { ...process.env, LEO_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const start = { child, code: undefined as number | null | undefined, words: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      start.words += text;
    });
    child.once('close', (code) => {
      start.code = code;
    });
    return start;
  });
  await until('nineteen have ended', () => starts.filter(({ code }) => code !== undefined).length >= 19);
  const living = starts.filter(({ code }) => code === undefined);
  t.equal(living.length, 1, 'one lives');
  for (const { code, words } of starts.filter(({ code }) => code !== undefined)) {
    t.equal(code, 75);
    t.match(words, /^leo: a daemon already listens at .*leo\.sock/, 'and says who runs');
  }
  const places = placesOf({ LEO_HOME: home });
  const file = await until('the living one is ready', () => readDaemonFile(places.daemonFile));
  t.equal(file.pid, living[0]?.child.pid, 'daemon.json names the living one');
  t.equal((await http(places.socket, '/health')).status, 200);
  t.strictSame(
    readdirSync(places.state).sort(),
    ['agent.token', 'api.token', 'daemon.json', 'leo.sock'],
    'nothing is left of the others',
  );
  living[0]?.child.kill('SIGTERM');
  if (living[0] !== undefined) await once(living[0].child, 'close');
});

// The rest runs side by side, after the twenty.
t.jobs = 4;

t.test('a daemon that was killed leaves a stale socket that the next one takes over', async (t) => {
  const first = await startDaemon(t);
  t.equal(await first.end('SIGKILL'), null);
  t.ok(existsSync(first.socket), 'the socket is left behind');
  const next = await startDaemon(t, { home: first.home });
  t.not(next.epoch, first.epoch);
  t.equal((await http(next.socket, '/health')).status, 200);
});

t.test('a daemon that is stopped still owns its home', async (t) => {
  const daemon = await startDaemon(t);
  daemon.child.kill('SIGSTOP');
  const second = await startToEnd(t, daemon.home);
  t.equal(second.code, 75);
  t.match(second.words, /already listens/);
  daemon.child.kill('SIGCONT');
  t.equal((await http(daemon.socket, '/health')).status, 200, 'and goes on when it is let go on');
});

t.test('a lock that a killed start left behind holds nobody up', async (t) => {
  const home = temporaryHome(t);
  mkdirSync(stateOf(home), { mode: 0o700 });
  const gone = spawn(process.execPath, ['-e', '0']);
  await once(gone, 'close');
  writeFileSync(placesOf({ LEO_HOME: home }).startLock, `${gone.pid} 0123456789abcdef\n`);
  const daemon = await startDaemon(t, { home });
  t.notOk(existsSync(placesOf(daemon.env).startLock));
});

// What stands in the way of a start is named and left as it is.
const inTheWay: readonly {
  readonly what: string;
  readonly make: (home: string) => void;
  readonly says: RegExp;
  /** What must be as it was, and a way to see it. */
  readonly untouched?: (home: string) => unknown;
  readonly skip?: boolean;
  /** An address may be there the next time; what else is in the way stays so. */
  readonly code?: number;
}[] = [
  {
    what: 'a regular file at the path of the socket',
    make: (home) => writeFileSync(join(stateOf(home), 'leo.sock'), 'mine'),
    says: /leo\.sock is a file, not a socket; move it away/,
    untouched: (home) => readFileSync(join(stateOf(home), 'leo.sock'), 'utf8'),
  },
  {
    what: 'a link to a file at the path of the socket',
    make: (home) => {
      writeFileSync(join(home, 'target'), 'mine');
      symlinkSync(join(home, 'target'), join(stateOf(home), 'leo.sock'));
    },
    says: /leo\.sock is a link, not a socket/,
    untouched: (home) => [
      readFileSync(join(home, 'target'), 'utf8'),
      readdirSync(stateOf(home)).includes('leo.sock'),
    ],
  },
  {
    what: 'a link to nothing at the path of the socket',
    make: (home) => symlinkSync(join(home, 'nowhere'), join(stateOf(home), 'leo.sock')),
    says: /leo\.sock is a link, not a socket/,
    untouched: (home) => [existsSync(join(home, 'nowhere')), lstatSync(join(stateOf(home), 'leo.sock')).ino],
  },
  {
    what: 'a folder at the path of the socket',
    make: (home) => mkdirSync(join(stateOf(home), 'leo.sock')),
    says: /leo\.sock is a folder, not a socket/,
    untouched: (home) => lstatSync(join(stateOf(home), 'leo.sock')).ino,
  },
  {
    what: 'a home that others can read',
    make: (home) => chmodSync(home, 0o755),
    says: /is open to others \(mode 0755\): chmod 700 /,
    untouched: (home) => [mode(home), readdirSync(stateOf(home))],
  },
  {
    what: 'a home of somebody else',
    make: (home) => chownSync(home, 65_534, 65_534),
    says: /belongs to the user with uid 65534, not to you/,
    skip: process.getuid?.() !== 0,
  },
  {
    what: 'a file where the home should be',
    make: (home) => {
      rmSync(home, { recursive: true });
      writeFileSync(home, 'mine');
    },
    says: /is not a folder; move it away/,
    untouched: (home) => readFileSync(home, 'utf8'),
  },
  {
    what: 'a file above the home',
    make: (home) => {
      rmSync(dirname(home), { recursive: true });
      writeFileSync(dirname(home), 'mine');
    },
    says: /cannot be made: ENOTDIR/,
  },
  {
    what: 'a file where the folder of the state should be',
    make: (home) => {
      rmSync(stateOf(home), { recursive: true });
      writeFileSync(stateOf(home), 'mine');
    },
    says: /state is not a folder; move it away/,
    untouched: (home) => readFileSync(stateOf(home), 'utf8'),
  },
  {
    what: 'a token file that others can read',
    make: (home) => writeFileSync(join(stateOf(home), 'api.token'), `${'a'.repeat(64)}\n`, { mode: 0o644 }),
    says: /api\.token can be read by others \(mode 0644\): chmod 600 /,
    untouched: (home) => mode(join(stateOf(home), 'api.token')),
  },
  {
    what: 'an empty token file',
    make: (home) => writeFileSync(join(stateOf(home), 'agent.token'), '', { mode: 0o600 }),
    says: /agent\.token holds no token of 64 hex characters; .* rm /,
    untouched: (home) => statSync(join(stateOf(home), 'agent.token')).size,
  },
  {
    what: 'a link for a token file',
    make: (home) => {
      writeFileSync(join(home, 'target'), `${'a'.repeat(64)}\n`, { mode: 0o600 });
      symlinkSync(join(home, 'target'), join(stateOf(home), 'api.token'));
    },
    says: /api\.token is a link; /,
  },
  {
    what: 'a folder for a token file',
    make: (home) => mkdirSync(join(stateOf(home), 'agent.token')),
    says: /agent\.token is not a file; move it away/,
  },
  {
    what: 'an address that is not of this machine',
    code: 1,
    make: (home) =>
      writeFileSync(join(home, 'leo.yaml'), 'web: { bind: 203.0.113.1, allowed_hosts: [leo.test] }\n'),
    says: /cannot listen on 203\.0\.113\.1 \(web\.bind\)/,
  },
  {
    what: 'an address beyond loopback without hosts',
    make: (home) => writeFileSync(join(home, 'leo.yaml'), 'web: { bind: 0.0.0.0 }\n'),
    says: /beyond loopback: name the hosts .* web\.allowed_hosts/,
  },
  {
    what: 'a wrong value in leo.yaml',
    make: (home) => writeFileSync(join(home, 'leo.yaml'), 'deny_tools: []\nweb:\n  port: many\n'),
    says: /leo\.yaml line 3: web\.port must be integer/,
  },
  {
    what: 'an unknown key in leo.yaml',
    make: (home) => writeFileSync(join(home, 'leo.yaml'), 'web: { port: 0 }\n\ncolour: blue\n'),
    says: /leo\.yaml line 3: unknown key `colour`/,
  },
  {
    what: 'a leo.yaml that is no YAML',
    make: (home) => writeFileSync(join(home, 'leo.yaml'), 'web:\n  port: [1\n'),
    says: /leo\.yaml line \d: /,
  },
  {
    what: 'a denied tool that nobody has ever had',
    make: (home) =>
      writeFileSync(join(home, 'leo.yaml'), 'agents: { rocket: { deny_tools: [tkae_photo] } }\n'),
    says: /agents\.rocket\.deny_tools: "tkae_photo" is neither/,
  },
];

for (const { what, make, says, untouched, skip = false, code: expected = 78 } of inTheWay) {
  t.test(`${what} stops the daemon, with words and exit code ${expected}`, { skip }, async (t) => {
    const home = join(temporaryHome(t), 'above', 'home');
    mkdirSync(stateOf(home), { recursive: true, mode: 0o700 });
    make(home);
    const before = untouched?.(home);
    const { code, words } = await startToEnd(t, home);
    t.equal(code, expected);
    t.match(words, says);
    t.notMatch(words, /\n\s+at /, 'no stack is shown');
    t.strictSame(untouched?.(home), before, 'and it is left as it was');
    const folder = existsSync(stateOf(home)) && statSync(stateOf(home)).isDirectory();
    const left = folder ? readdirSync(stateOf(home)).join() : '';
    t.notMatch(left, /daemon\.json|start\.lock|\.new/, 'nothing else is left');
  });
}

for (const bytes of [103, 104, 150, 200]) {
  t.test(
    `a socket's path of ${bytes} bytes is ${bytes > 103 ? 'given up for a short one' : 'bound as it is'}`,
    async (t) => {
      const base = temporaryHome(t);
      const rest = '/state/leo.sock'.length;
      const home = join(base, 'h'.repeat(bytes - rest - base.length - 1));
      const plain = join(home, 'state', 'leo.sock');
      t.equal(Buffer.byteLength(plain), bytes);
      const daemon = await startDaemon(t, { home });
      if (bytes <= 103) t.equal(daemon.socket, plain);
      else {
        t.ok(Buffer.byteLength(daemon.socket) <= 103, daemon.socket);
        t.notOk(existsSync(plain));
        t.equal(
          readDaemonFile(placesOf(daemon.env).daemonFile)?.socket,
          daemon.socket,
          'daemon.json names it',
        );
        t.equal(mode(join(daemon.socket, '..')), '700', 'its folder is private');
      }
      t.equal(mode(daemon.socket), '600');
      t.equal((await http(daemon.socket, '/health')).status, 200);
      if (bytes === 150) t.equal((await startToEnd(t, home)).code, 75, 'it is one daemon all the same');
      t.equal(await daemon.end(), 0);
      t.notOk(existsSync(daemon.socket), 'and takes its socket with it');
    },
  );
}

t.test('all that a daemon makes is private, the socket from its first instant', async (t) => {
  const home = join(temporaryHome(t), 'new');
  const seen = new Set<string>();
  let watching = true;
  const watch = () => {
    // Looked at between any two turns of the loop, for as long as the daemon starts.
    for (let i = 0; i < 50; i++) {
      const found = lstatSync(join(home, 'state', 'leo.sock'), { throwIfNoEntry: false });
      if (found !== undefined) seen.add((found.mode & 0o777).toString(8));
    }
    if (watching) setImmediate(watch);
  };
  watch();
  await startDaemon(t, { home });
  watching = false;
  t.strictSame([...seen], ['600'], 'the modes that the socket has had');
  for (const name of ['daemon.json', 'api.token', 'agent.token', 'leo.sock'])
    t.equal(mode(join(home, 'state', name)), '600', name);
  t.equal(mode(home), '700');
  t.equal(mode(join(home, 'state')), '700');
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(
    `${signal} ends the daemon with exit code 0, and its socket and daemon.json go with it`,
    async (t) => {
      const daemon = await startDaemon(t);
      t.equal(await daemon.end(signal), 0);
      t.notOk(existsSync(daemon.socket));
      t.strictSame(readdirSync(stateOf(daemon.home)).sort(), ['agent.token', 'api.token']);
    },
  );
}

t.test("a daemon that ends leaves another's socket and daemon.json alone", async (t) => {
  const daemon = await startDaemon(t);
  const places = placesOf(daemon.env);
  rmSync(daemon.socket);
  const other = createServer().listen(daemon.socket);
  await once(other, 'listening');
  t.teardown(() => other.close());
  // Node removes the path of a server that closes, so the other's file is kept by a second name.
  const kept = `${daemon.socket}.kept`;
  linkSync(daemon.socket, kept);
  writeFileSync(places.daemonFile, JSON.stringify({ ...readDaemonFile(places.daemonFile), epoch: 'other' }));
  t.equal(await daemon.end(), 0);
  t.equal(lstatSync(daemon.socket).ino, lstatSync(kept).ino, 'the other socket is there');
  t.equal(readDaemonFile(places.daemonFile)?.epoch, 'other');
});

t.test('a port that is taken is named, and the home stays free', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const home = temporaryHome(t);
  mkdirSync(stateOf(home), { mode: 0o700 });
  const stale = createServer().listen(join(stateOf(home), 'bound'));
  await once(stale, 'listening');
  renameSync(join(stateOf(home), 'bound'), join(stateOf(home), 'leo.sock'));
  stale.close();
  const { code, words } = await startToEnd(t, home, ['--port', String(port)]);
  t.equal(code, 1);
  t.ok(lstatSync(join(stateOf(home), 'leo.sock')).isSocket(), 'even the stale socket is as it was');
  t.match(words, new RegExp(`port ${port} on 127.0.0.1 is taken by another program; set web.port`));
  const daemon = await startDaemon(t, { home });
  t.equal((await http(daemon.socket, '/health')).status, 200);
});

t.test('both loopback addresses answer, on one port', async (t) => {
  const daemon = await startDaemon(t);
  t.match(daemon.http, /^http:\/\/127\.0\.0\.1:\d+$/);
  t.equal((await http(daemon.http, '/health')).status, 200);
  // A machine without IPv6 says so in the log instead.
  if (!/not listening on \[::1\]/.test(daemon.log()))
    t.equal((await http(daemon.http.replace('127.0.0.1', '[::1]'), '/health')).status, 200);
});

t.test('a daemon beyond loopback warns, and daemon.json names an address that answers', async (t) => {
  const daemon = await startDaemon(t, { config: 'web: { bind: 0.0.0.0, allowed_hosts: [leo.test] }\n' });
  t.match(daemon.log(), /warning: listening on 0\.0\.0\.0, beyond loopback/);
  t.equal((await http(daemon.http, '/health')).status, 200);
});

// macOS has 127.0.0.1 alone.
const oneLoopback = process.platform === 'darwin' && 'this system has no second address on loopback';
t.test('one that is bound to another address is on loopback too', { skip: oneLoopback }, async (t) => {
  const daemon = await startDaemon(t, { config: 'web: { bind: 127.0.0.2, allowed_hosts: [127.0.0.2] }\n' });
  t.match(daemon.http, /^http:\/\/127\.0\.0\.2:\d+$/);
  for (const host of ['127.0.0.2', '127.0.0.1'])
    t.equal((await http(daemon.http.replace('127.0.0.2', host), '/health')).status, 200, host);
});

t.test('SIGHUP takes over a good leo.yaml and keeps the old settings for a bad one', async (t) => {
  const daemon = await startDaemon(t, { config: 'web: { allowed_hosts: [one.test] }\n' });
  const config = placesOf(daemon.env).config;
  const status = async (host: string) => (await http(daemon.http, '/health', { headers: { host } })).status;
  t.equal(await status('one.test'), 200);
  writeFileSync(config, 'web:\n  allowed_hosts: [two.test]\n');
  daemon.child.kill('SIGHUP');
  await until('the new settings hold', async () => (await status('two.test')) === 200);
  t.equal(await status('one.test'), 403);
  writeFileSync(config, 'web:\n  allowed_hosts: three.test\n');
  daemon.child.kill('SIGHUP');
  await until('the fault is named', () =>
    /leo\.yaml line 2: web\.allowed_hosts must be array/.test(daemon.log()),
  );
  t.equal(await status('two.test'), 200, 'the old settings stay');
});

t.test('why a daemon does not start is a line of JSON where its log is', async (t) => {
  const config = 'daemon: { log_format: json, log_level: error }\n';
  const { home } = await startDaemon(t, { config });
  const wrong = temporaryHome(t);
  writeFileSync(placesOf({ LEO_HOME: wrong }).config, 'web: { prot: 1 }\n');
  const rows = [
    [home, [], 75, /^a daemon already listens at /],
    // leo.yaml cannot say it here: the command line does.
    [wrong, ['--log-format', 'json'], 78, /unknown key `web\.prot`/],
  ] as const;
  for (const [at, args, code, why] of rows) {
    const ended = await startToEnd(t, at, ['--port', '0', ...args]);
    t.equal(ended.code, code);
    const { level, message } = JSON.parse(ended.words);
    t.equal(level, 'error');
    t.match(message, why);
  }
});

t.test('a daemon whose log nobody reads any more goes on', async (t) => {
  const daemon = await startDaemon(t);
  daemon.child.stderr?.destroy();
  for (let i = 0; i < 3; i++) {
    daemon.child.kill('SIGHUP');
    t.equal((await http(daemon.socket, '/health')).status, 200);
  }
  t.equal(await daemon.end(), 0);
});
