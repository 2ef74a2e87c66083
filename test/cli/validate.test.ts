import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { put } from '../setup/surroundings.js';
import { temporaryHome } from '../support/daemon.js';
import { runLeo } from '../support/run-leo.js';

t.test('validate names each fault by its line, and changes nothing', async (t) => {
  const home = temporaryHome(t);
  const env = { ...process.env, LEO_HOME: home };
  const own = join(home, 'leo.yaml');
  const none = await runLeo(t, env, 'validate');
  t.match(none, { code: 0, stdout: `there is no ${own}; all is as by default\n`, stderr: '' });
  t.notOk(existsSync(own));

  put(own, 'web: { port: 99999 }\nbogus: 1\n');
  const bad = await runLeo(t, env, 'validate');
  t.equal(bad.code, 1);
  t.equal(
    bad.stdout,
    `${own} line 1: error: web.port must be <= 65535\n${own} line 2: error: unknown key \`bogus\`\n`,
  );
  const json = await runLeo(t, env, 'validate', '--json');
  t.equal(json.code, 1);
  t.match(JSON.parse(json.stdout), {
    file: own,
    ok: false,
    errors: [
      { line: 1, message: 'web.port must be <= 65535' },
      { line: 2, message: 'unknown key `bogus`' },
    ],
    warnings: [],
  });

  // As a daemon that has seen no such tool takes it: in its own file an error, in another a warning.
  const other = join(home, 'other.yaml');
  for (const file of [own, other]) put(file, 'deny_tools:\n  - take_foto\n');
  t.match(await runLeo(t, env, 'validate'), {
    code: 1,
    stdout: /leo\.yaml line 2: error: deny_tools: "take_foto"/,
  });
  t.match(await runLeo(t, env, 'validate', other), {
    code: 0,
    stdout: /other\.yaml line 2: warning: deny_tools/,
  });
  put(join(home, 'state', 'client-tools.json'), '{"tools": ["take_foto"]}');
  t.match(await runLeo(t, env, 'validate'), { code: 0, stdout: `${own} can be used\n` });

  t.match(await runLeo(t, env, 'validate', join(home, 'none.yaml')), {
    code: 1,
    stdout: '',
    stderr: /none\.yaml cannot be read: ENOENT/,
  });
  chmodSync(own, 0o600);
  t.same(readdirSync(home).sort(), ['leo.yaml', 'other.yaml', 'state']);
});
