import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { mayConcernGateway, readSettings } from '../../../lib/gateway/harness/settings.js';
import { temporaryHome } from '../../support/daemon.js';

const settings = async (t: Parameters<typeof temporaryHome>[0], text: string | undefined) => {
  const file = join(mkdtempSync(join(temporaryHome(t), 'x')), 'leo.yaml');
  if (text !== undefined) writeFileSync(file, text);
  const logged: string[] = [];
  return { ...(await readSettings(file, (message) => logged.push(message))), logged };
};

t.test('no file is all defaults', async (t) => {
  t.strictSame(await settings(t, undefined), { harnesses: {}, autostart: true, logged: [] });
});

t.test('what concerns a gateway is read', async (t) => {
  const text = 'daemon: { autostart: false }\nharnesses:\n  mine: { tools: native }\n';
  t.strictSame(await settings(t, text), {
    harnesses: { mine: { tools: 'native' } },
    autostart: false,
    logged: [],
  });
});

t.test('a file without those words is not even parsed', async (t) => {
  t.equal(mayConcernGateway('web: { port: 0 }\n'), false);
  t.equal(mayConcernGateway('"harness\\x65s": {}\n'), true);
  t.match(await settings(t, 'web: ['), { autostart: true, logged: [] });
});

t.test('a file that cannot be used is told of, and no daemon is started for it', async (t) => {
  const { autostart, logged } = await settings(t, 'web: { port: 0 }\nharneses: {}\nharnesses: 7\n');
  t.equal(autostart, false);
  t.match(logged.join('\n'), /leo\.yaml line 2: unknown key `harneses`/);
});
