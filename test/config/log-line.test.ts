import t from 'tap';
import { failureLine, logLine } from '../../lib/config/log-line.js';
import { logLevels } from '../../lib/config/log-options.js';

t.test('a level leaves out what is less', async (t) => {
  const lines = ['error: a', 'warning: b', 'c', 'debug: d'];
  const rows = { error: 1, warn: 2, info: 3, debug: 4 };
  for (const level of logLevels)
    t.strictSame(
      lines.map((line) => logLine(line, 0, { level, format: 'pretty' })),
      lines.map((line, at) => (at < rows[level] ? `${line}\n` : undefined)),
      level,
    );
});

t.test('no line can be made to look like another', async (t) => {
  const rows = [
    ['ready: x', 'ready: x\n', { level: 'info', message: 'ready: x' }],
    ['error: a\n  at b', 'error: a\n    at b\n', { level: 'error', message: 'a\n  at b' }],
    ['x\nready: y', 'x\n  ready: y\n', { level: 'info', message: 'x\nready: y' }],
    ['a\u001b[31mb\r\u009b', 'a\\x1b[31mb\\x0d\\x9b\n', { level: 'info', message: 'a\u001b[31mb\r\u009b' }],
    ['warning: ü', 'warning: ü\n', { level: 'warn', message: 'ü' }],
  ] as const;
  for (const [line, pretty, json] of rows) {
    t.equal(logLine(line, 0, { level: 'debug', format: 'pretty' }), pretty);
    const text = logLine(line, 1000, { level: 'debug', format: 'json' }) ?? '';
    t.equal(text.split('\n').length, 2, 'one line');
    t.strictSame(JSON.parse(text), { time: '1970-01-01T00:00:01.000Z', ...json });
  }
});

t.test('a line has its name and its time where they are wanted, and JSON its time always', async (t) => {
  const level = 'info';
  const at = '1970-01-01T00:00:01.000Z';
  const rows = [
    [{ level, format: 'pretty', name: 'leo' }, 'leo: warning: a\n', 'leo: b\n'],
    [{ level, format: 'pretty', timed: true }, `${at} warning: a\n`, `${at} leo: b\n`],
    [
      { level: 'error', format: 'json', name: 'leo', timed: true },
      undefined,
      `{"time":"${at}","level":"error","message":"b"}\n`,
    ],
    [{ level: 'error', format: 'pretty' }, undefined, 'leo: b\n'],
  ] as const;
  for (const [options, line, failure] of rows) {
    t.equal(logLine('warning: a', 1000, options), line);
    t.equal(failureLine('b', 1000, options), failure);
  }
});
