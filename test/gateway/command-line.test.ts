import t from 'tap';
import { parseCommandLine } from '../../lib/gateway/command-line.js';

const options = (argv: readonly string[], env = {}) => {
  const command = parseCommandLine(argv, env);
  return command.kind === 'serve' ? command.options : command;
};

t.test('reads what a user may say', async (t) => {
  t.strictSame(options([]), {
    agent: undefined,
    harness: undefined,
    remote: undefined,
    callTimeoutMs: undefined,
  });
  t.match(options(['--agent', 'rocket', '--harness=codex-mcp-client']), {
    agent: 'rocket',
    harness: 'codex-mcp-client',
  });
  t.match(options([], { LEO_HARNESS: 'opencode' }), { harness: 'opencode' });
  t.match(options(['--harness', 'mine'], { LEO_HARNESS: 'opencode' }), { harness: 'mine' });
  t.match(options(['--call-timeout', '1.5']), { callTimeoutMs: 1500 });
  t.strictSame(parseCommandLine(['--help'], {}), { kind: 'help' });
});

t.test('turns the URL of a daemon into that of its link', async (t) => {
  for (const [given, url] of [
    ['http://mac.local:8370', 'ws://mac.local:8370/api/v1/gateway'],
    ['https://leo.example/base/', 'wss://leo.example/base/api/v1/gateway'],
    ['http://[::1]:8370', 'ws://[::1]:8370/api/v1/gateway'],
  ] as const) {
    const command = options(['--url', given, '--token-file', '/t']);
    t.equal('remote' in command && command.remote?.url.href, url);
  }
});

const misuses: readonly [argv: readonly string[], mend: RegExp][] = [
  [['--native'], /unknown argument.*--help/],
  [['rocket'], /unknown argument/],
  [['--agent'], /--agent VALUE/],
  [['--agent='], /--agent VALUE/],
  [['--call-timeout', 'soon'], /number of seconds/],
  [['--call-timeout', '0'], /number of seconds/],
  [['--token-file', '/t'], /--url/],
  [['--url', 'http://host:1'], /--token-file FILE.*LEO_TOKEN/],
  [['--url', 'host'], /not a URL/],
  [['--url', 'ftp://host'], /http or https/],
  [['--url', 'http://me:secret@host', '--token-file', '/t'], /neither credentials nor a query/],
  [['--url', 'http://host/?token=x', '--token-file', '/t'], /neither credentials nor a query/],
];
for (const [argv, mend] of misuses) {
  t.test(`\`${argv.join(' ')}\` is a misuse`, async (t) =>
    t.match(parseCommandLine(argv, {}), { kind: 'misuse', message: mend }),
  );
}

t.test('a token in the environment is enough', async (t) => {
  t.match(options(['--url', 'http://host:1'], { LEO_TOKEN: 'x' }), { remote: { tokenFile: undefined } });
});
