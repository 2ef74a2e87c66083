// The pure parts of `leo app run`: its file, the environment of a command, what a command's end means, lines.

import t from 'tap';
import { LeoAppError } from '../../lib/app/index.js';
import { parseAppFile } from '../../lib/cli/app-run/app-file.js';
import { type CommandEnd, commandAnswer } from '../../lib/cli/app-run/command-answer.js';
import { commandEnvironment, maxVariableBytes } from '../../lib/cli/app-run/command-environment.js';
import { eventJson, eventLine } from '../../lib/cli/app-run/event-line.js';

t.test('a file is read with its defaults', async (t) => {
  const text = `
tools:
  - name: take_photo
    command: ["./photo.sh", "-q"]
    output: image
  - name: count
    description: Counts.
    timeout_s: 0
    input_schema: { type: object }
    command: wc -w
    cwd: sub
    env: { LANG: C, DEPTH: 3 }
`;
  t.same(parseAppFile(text, '/some/where/desk.yaml'), {
    group: 'desk',
    tools: [
      {
        name: 'take_photo',
        description: undefined,
        inputSchema: undefined,
        timeoutS: undefined,
        argv: ['./photo.sh', '-q'],
        output: 'image',
        cwd: '.',
        env: {},
      },
      {
        name: 'count',
        description: 'Counts.',
        inputSchema: { type: 'object' },
        timeoutS: 0,
        argv: ['/bin/sh', '-c', 'wc -w'],
        output: 'text',
        cwd: 'sub',
        env: { LANG: 'C', DEPTH: '3' },
      },
    ],
  });
  t.equal(parseAppFile('group: other\ntools: [{name: a, command: x}]', 'desk.yaml').group, 'other');
});

t.test('what is wrong with a file is said with its line', async (t) => {
  const rows: readonly [text: string, path: string, error: RegExp][] = [
    ['', 'a.yaml', /^a\.yaml line 1: the file must have required property 'tools'$/],
    ['tools: []', 'a.yaml', /^a\.yaml line 1: tools must NOT have fewer than 1 items$/],
    ['tools:\n  - name: a\n', 'a.yaml', /^a\.yaml line 2: tools\.0 must have required property 'command'$/],
    ['tools:\n  - name: 9a\n    command: x', 'a.yaml', /^a\.yaml line 2: tools\.0\.name must match pattern/],
    [
      'tools:\n  - name: a\n    comand: x\n    command: x',
      'a.yaml',
      /line 3: unknown key `tools\.0\.comand`/,
    ],
    [
      'tools:\n  - name: a\n    command: x\n    output: video',
      'a.yaml',
      /line 4: .*one of \["text","image"\]/,
    ],
    ['tools:\n  - name: a\n    command: []', 'a.yaml', /line 3: tools\.0\.command/],
    [
      'tools:\n  - name: take-it\n    command: x\n  - name: Take_It\n    command: y',
      'a.yaml',
      /^a\.yaml line 4: the name "Take_It" is taken by the tool of line 2; names must differ/,
    ],
    ['tools: [', 'a.yaml', /^a\.yaml line 1: /],
    ['tools: [{name: a, command: x}]', '/x/my app.yaml', /is no name for a group; say `group: NAME`/],
  ];
  for (const [text, path, error] of rows) t.throws(() => parseAppFile(text, path), { message: error }, text);
});

t.test('a command gets its arguments, the file’s environment, and nothing of Leo’s', async (t) => {
  const own = { PATH: '/bin', LEO_HOME: '/h', LEO_TOKEN: 'secret', LEO_AGENT: 'me', GONE: undefined };
  const args = {
    name: 'Ada',
    'max-size': 3,
    tags: ['a', { b: null }],
    nul: 'a\0b',
    long: 'x'.repeat(maxVariableBytes),
    empty: '',
  };
  t.same(commandEnvironment(own, { LANG: 'C' }, 'rocket', args), {
    PATH: '/bin',
    LEO_HOME: '/h',
    LANG: 'C',
    LEO_AGENT: 'rocket',
    LEO_ARG_NAME: 'Ada',
    LEO_ARG_MAX_SIZE: '3',
    LEO_ARG_TAGS: '["a",{"b":null}]',
    LEO_ARG_EMPTY: '',
  });
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`a${n}`, 'x'.repeat(30_000)]));
  t.ok(Object.keys(commandEnvironment({}, {}, 'x', many)).length < 10, 'all of them together are bounded');
});

t.test('what a command’s end means for the agent', async (t) => {
  const exited = (stdout: string | Buffer, code: number | null = 0, stderr = ''): CommandEnd => ({
    how: 'exited',
    code,
    signal: code === null ? 'SIGKILL' : null,
    stdout: Buffer.from(stdout),
    stderr,
  });
  t.equal(commandAnswer(exited('two\nlines\n\n'), 'text'), 'two\nlines');
  t.equal(commandAnswer(exited(Buffer.from([0x61, 0xff])), 'text'), 'a\ufffd');
  t.match(commandAnswer(exited('GIF89a'), 'image'), { type: 'image', mimeType: 'image/gif' });
  const failures: readonly [CommandEnd, 'text' | 'image', string, RegExp][] = [
    [exited('', 3, 'no paper\n'), 'text', 'command_failed', /^the command exited with code 3: no paper$/],
    [exited('', 1), 'text', 'command_failed', /wrote nothing to stderr/],
    [exited('', 1, `${'x'.repeat(9000)}end`), 'text', 'command_failed', /: …x{1997}end$/],
    [exited('', null), 'text', 'command_failed', /was ended by SIGKILL/],
    [exited(''), 'image', 'bad_output', /no image/],
    [exited('<svg/>'), 'image', 'bad_output', /no PNG/],
    [{ how: 'too_much_output' }, 'text', 'bad_output', /more than 9 MiB/],
    [{ how: 'not_started', reason: 'why' }, 'text', 'command_failed', /could not be started: why/],
  ];
  for (const [end, output, code, message] of failures) {
    t.throws(() => commandAnswer(end, output), { code, message });
  }
});

t.test('every event has a line, without what a terminal would obey', async (t) => {
  const call = { id: 'r_12345678', agent: 'rocket', tool: 'photo' };
  const reason = new LeoAppError('unreachable', 'no\u001b[2J daemon');
  t.equal(eventLine({ type: 'call_started', ...call }), 'rocket calls photo');
  t.equal(
    eventLine({ type: 'call_ended', ...call, code: 'ok', message: undefined, tookMs: 1234 }),
    'rocket photo answered after 1.23 s',
  );
  t.equal(
    eventLine({ type: 'call_ended', ...call, code: 'no_paper', message: 'a\nb', tookMs: 12_000 }),
    'rocket photo ended: no_paper after 12 s: a b',
  );
  t.equal(eventLine({ type: 'reconnecting', reason, retryInMs: 1 }), 'waiting for the daemon: no [2J daemon');
  t.same(JSON.parse(eventJson({ type: 'reconnecting', reason, retryInMs: 1.6 })), {
    type: 'reconnecting',
    code: 'unreachable',
    error: 'no\u001b[2J daemon',
    retry_in_ms: 2,
  });
  t.same(JSON.parse(eventJson({ type: 'closed', reason: undefined })), { type: 'closed' });
});
