import t from 'tap';
import { readToml, removeToml, setToml } from '../../../lib/setup/text/toml-text.js';

const path = ['m', 'leo'];
const values = { command: '/n', args: ['/l'], env: { A: 'b' }, limit: 5 };
const block = '[m.leo]\ncommand = "/n"\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n';

/** A text without the table, and what it is with it. */
const added: readonly (readonly [string, string, string])[] = [
  ['nothing', '', block],
  ['other settings', 'x = 1 # one\n', `x = 1 # one\n\n${block}`],
  ['no newline at its end', 'x = 1', `x = 1\n\n${block}`],
  ['CRLF', 'x = 1\r\n', `x = 1\r\n\r\n${block.replaceAll('\n', '\r\n')}`],
  ['a byte order mark', '\ufeffx = 1\n', `\ufeffx = 1\n\n${block}`],
  ['another server', '[m.other]\ncommand = "x"\n', `[m.other]\ncommand = "x"\n\n${block}`],
  [
    'headers in strings',
    'x = """\n[m.leo]\n"""\ny = \'[m.leo]\'\n',
    `x = """\n[m.leo]\n"""\ny = '[m.leo]'\n\n${block}`,
  ],
  ['an array over lines', 'x = [ # a\n  "]", # b\n]\n', `x = [ # a\n  "]", # b\n]\n\n${block}`],
];

for (const [what, before, after] of added) {
  t.test(`TOML with ${what}: a table goes in at the end, and out again`, (t) => {
    const put = setToml(before, path, values, 'f');
    t.equal(put, after);
    t.equal(setToml(put, path, {}, 'f'), put);
    t.same(
      JSON.stringify(readToml(put, 'f').m),
      JSON.stringify({ ...JSON.parse(JSON.stringify(readToml(before, 'f').m ?? {})), leo: values }),
    );
    const taken = removeToml(put, path);
    t.equal(taken, before === 'x = 1' ? 'x = 1\n' : before);
    t.end();
  });
}

t.test('a name that is no bare key stands in quotes', (t) => {
  const put = setToml('', ['m', 'my-leo.2'], { command: '/n' }, 'f');
  t.equal(put, '[m."my-leo.2"]\ncommand = "/n"\n');
  t.match(readToml(put, 'f'), { m: { 'my-leo.2': { command: '/n' } } });
  t.end();
});

/** A text with the table, and what it is with other values. */
const changed: readonly (readonly [string, string, string])[] = [
  [
    'keys and comments of the user',
    '# top\n[m.leo] # ours\ncommand = "x" # c\nenabled = true\n\n# next\n[n]\ny = 2\n',
    '# top\n[m.leo] # ours\ncommand = "/n" # c\nenabled = true\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n\n# next\n[n]\ny = 2\n',
  ],
  [
    'a table for its variables',
    '[m.leo]\ncommand = "/n"\n\n[m.leo.env]\nB = "c"\n\n[n]\n',
    '[m.leo]\ncommand = "/n"\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n\n\n[n]\n',
  ],
  [
    'quoted and spaced keys',
    "[ \"m\" . 'leo' ]\n\"command\" = 'x'\nargs = [\n  'y', # y\n]\n",
    '[ "m" . \'leo\' ]\n"command" = "/n"\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n',
  ],
  [
    'dotted variables',
    '[m.leo]\nenv.A = "x"\nenv.B = "y"\ncommand = "/n"\n',
    '[m.leo]\ncommand = "/n"\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n',
  ],
  [
    'no newline at its end',
    '[m.leo]\ncommand = "x"',
    '[m.leo]\ncommand = "/n"\nargs = ["/l"]\nenv = { A = "b" }\nlimit = 5\n',
  ],
];

for (const [what, before, after] of changed) {
  t.test(`TOML with ${what}: a table is changed in its place`, (t) => {
    const put = setToml(before, path, values, 'f');
    t.equal(put, after);
    t.match(JSON.parse(JSON.stringify(readToml(put, 'f'))), { m: { leo: values } });
    t.end();
  });
}

t.test('a table and those below it are taken out, and nothing around them', (t) => {
  t.equal(
    removeToml(
      '# a\nx = 1\n\n[m.leo]\ncommand = "x" # c\n# in it\n[m.leo.env]\nA = "b"\n\n# next\n[n]\ny = 1\n',
      path,
    ),
    '# a\nx = 1\n# in it\n\n# next\n[n]\ny = 1\n',
  );
  t.equal(removeToml('[m]\nleo = { command = "x" }\nother = 1\n', path), '[m]\nother = 1\n');
  t.equal(removeToml('[m.leon]\nx = 1\n', path), '[m.leon]\nx = 1\n');
  t.end();
});

t.test('a form that is not edited, and a text that is none, are refused with their place', (t) => {
  for (const text of ['[m]\nleo = { command = "x" }\n', 'x = 1\nm.leo.command = "x"\n']) {
    t.throws(() => setToml(text, path, values, 'f'), {
      message: /^f line 2, column 1: write this entry as a table \[m\.leo\], then try again/,
    });
  }
  t.throws(() => readToml('x = 1\ny = \n', 'f'), { message: /^f line 2, column \d+: .*; mend the file/ });
  t.throws(() => readToml('[a]\n[a]\n', 'f'), { message: /^f line 2, column \d+: / });
  t.end();
});
