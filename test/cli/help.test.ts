import t from 'tap';
import { temporaryHome } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';

const commands = [
  'daemon',
  'mcp-server',
  'status',
  'tools',
  'calls',
  'call',
  'events',
  'web',
  'harness',
  'app',
  'client',
  'device',
  'agent',
  'service',
  'logs',
  'reload',
  'doctor',
  'validate',
  'completion',
];

t.test('help names every command, and each command has help of its own', async (t) => {
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  const help = await runLeo(t, env, 'help');
  t.equal(help.code, 0);
  t.equal(help.stderr, '');
  for (const name of commands) {
    t.match(help.stdout, new RegExp(`^  ${name}\\b`, 'm'));
    const own = await runLeo(t, env, 'help', name);
    t.equal(own.code, 0);
    t.match(own.stdout, new RegExp(`^Usage: leo ${name}\\b`));
  }
});

t.test('leo --version prints the version and nothing else', async (t) => {
  const { code, stdout } = await runLeo(t, process.env, '--version');
  t.equal(code, 0);
  t.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

t.test('misuse is said in words, with exit code 2 and an empty stdout', async (t) => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /Usage: leo/],
    [['bogus'], /unknown command 'bogus'/],
    [['toString'], /unknown command 'toString'/],
    [['status', '--bogus'], /unknown option '--bogus'/],
    [['tools', 'extra'], /too many arguments/],
    [['daemon', '--port', 'x'], /--port x: not a port; give 0 to 65535/],
    [['daemon', '--port', '65536'], /--port 65536: not a port/],
    [['call'], /missing required argument 'tool'/],
    [['call', 'x', '--args', '{'], /--args is not JSON/],
    [['call', 'x', '--args', '[]'], /--args must be a JSON object/],
    [['harness', 'setup'], /missing required argument 'name'/],
    [['harness', 'setup', 'bogus'], /unknown harness "bogus": one of claude-code, codex, /],
    [['harness', 'remove', 'print'], /unknown harness "print"/],
    [['harness', 'setup', 'codex', '--scope', 'x'], /Allowed choices are user, project/],
    [['harness', 'setup', 'codex', '--agent', 'a/b'], /--agent "a\/b"/],
    [['harness', 'probe', 'bogus'], /there is no harness bogus; there are claude-code, codex, /],
    [['harness', 'probe', '--bogus'], /unknown option '--bogus'/],
    [['call', 'x', '--agent', 'a/b'], /--agent "a\/b"/],
    [['service', 'bogus'], /unknown command 'bogus'/],
    [['logs', '-n', 'x'], /-n x: not a number of lines/],
    [['client', 'add'], /missing required argument 'name'/],
    [['client', 'add', '../x'], /"\.\.\/x" is no name for a client: 1 to 63 of a-z, 0-9, _ and -/],
    [['client', 'add', 'X'], /"X" is no name for a client/],
    [['client', 'add', 'operator'], /"operator" is no name for a client: Leo uses it itself/],
    [['client', 'add', 'x', '--can-message', 'a/b'], /--can-message "a\/b": no agent can have such a name/],
    [['client', 'add', 'x', '--can-message', ''], /--can-message "": no agent can have such a name/],
    [['client', 'remove', '.'], /"\." is no name for a client/],
    [['client', 'rotate', 'a'.repeat(64)], /is no name for a client/],
    [['client', 'bogus'], /unknown command 'bogus'/],
    [['device', 'add', 'my phone'], /"my phone" is no name for a device/],
    [['device', 'add', 'phone', '--url', 'phone'], /--url phone: give it as http/],
    [['device', 'add', 'phone', '--url', 'http://a/b'], /--url http:\/\/a\/b: give it as/],
    [['device', 'remove', '/etc/passwd'], /is no name for a device/],
    [['reload', 'now'], /too many arguments/],
    [['doctor', 'now'], /too many arguments/],
    [['validate', 'a', 'b'], /too many arguments/],
    [['completion', 'tcsh'], /unknown command 'tcsh'/],
  ];
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  await Promise.all(
    rows.map(async ([args, words]) => {
      const ran = await runLeo(t, env, ...args);
      t.equal(ran.code, 2, `leo ${args.join(' ')}`);
      t.match(ran.stderr, words);
      t.equal(ran.stdout, '');
    }),
  );
});

t.test('where no daemon answers, each command says so and what to type', async (t) => {
  const env = { ...process.env, LEO_HOME: temporaryHome(t) };
  const rows = [['status'], ['tools'], ['calls'], ['events'], ['call', 'x'], ['reload']];
  await Promise.all(
    rows.map(async (args) => {
      const ran = await runLeo(t, env, ...args);
      t.equal(ran.code, 1, `leo ${args.join(' ')}`);
      t.match(ran.stderr, /^leo: no daemon answers at \/.*leo\.sock; start one: leo daemon\n$/);
      t.equal(ran.stdout, '');
    }),
  );
  const asked = await runLeo(t, env, 'status', '--json');
  t.equal(asked.code, 1);
  t.match(JSON.parse(asked.stdout), { running: false, home: env.LEO_HOME, socket: String, error: String });
});
