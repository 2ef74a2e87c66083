import { writeFileSync } from 'node:fs';
import t from 'tap';
import { placesOf } from '../../lib/config/paths.js';
import { startDaemon } from '../support/daemon.js';
import { http } from '../support/http.js';
import { runLeo } from '../support/run-leo.js';

t.test(
  'leo reload has a changed leo.yaml count, and says what is wrong with one that cannot be used',
  async (t) => {
    const daemon = await startDaemon(t);
    const { config } = placesOf(daemon.env);
    const health = async () => (await http(daemon.http, '/health', { headers: { host: 'leo.test' } })).status;
    t.equal(await health(), 403);
    writeFileSync(config, 'web: { allowed_hosts: [leo.test] }\ndeny_tools: ["x_*"]\n');
    const good = await runLeo(t, daemon.env, 'reload');
    t.equal(good.code, 0);
    t.match(good.stdout, 'leo.yaml and the tokens are read again.');
    t.equal(good.stderr, 'leo: warning: deny_tools: "x_*" matches no tool that was ever registered\n');
    t.equal(await health(), 200);
    t.match(JSON.parse((await runLeo(t, daemon.env, 'reload', '--json')).stdout), {
      reloaded: true,
      warnings: [/x_\*/],
    });

    writeFileSync(config, 'web:\n  allowed_hosts: leo.test\n');
    const bad = await runLeo(t, daemon.env, 'reload');
    t.equal(bad.code, 1);
    t.match(
      bad.stderr,
      /^leo: the old settings stay: \S+leo\.yaml line 2: web\.allowed_hosts must be array\n/,
    );
    t.equal(bad.stdout, '');
    const json = await runLeo(t, daemon.env, 'reload', '--json');
    t.equal(json.code, 1);
    t.match(JSON.parse(json.stdout), { reloaded: false, error: /line 2/ });
    t.equal(await health(), 200, 'the old settings stay');
  },
);
