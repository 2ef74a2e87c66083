// Every fixture of fixtures/wire is played against a real daemon; any difference fails, and so does a route, a
// code or an event without a fixture.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { errorTable } from '../../lib/wire/errors.js';
import { eventSchemas } from '../../lib/wire/events.js';
import { linkError, linkMethods } from '../../lib/wire/link.js';
import { type Route, routes } from '../../lib/wire/routes.js';
import { root, startDaemon } from '../support/daemon.js';
import { difference, type Fixture, play } from '../support/fixture.js';
import { noTmux, testTmux } from '../support/tmux.js';

/** A program with a prompt. */
const echo = join(root, 'build', 'test', 'support', 'line-echo.js');
/** What the scenes have agents of. */
const templates = `
templates:
  idle: { harness: custom, command: "exec sleep 3600" }
  nowhere: { harness: custom, command: [no-such-program-of-leo] }
  echo: { harness: custom, command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(echo)}, /dev/null] }
`;
const folder = join(root, 'fixtures', 'wire');
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({ name, fixture: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture }));

t.test('what comes over the wire is what the fixtures say', async (t) => {
  const daemon = await startDaemon(t, { config: templates, env: testTmux(t).env });
  const tokens = {
    operator: readFileSync(join(daemon.home, 'state', 'api.token'), 'utf8').trim(),
    agent: readFileSync(join(daemon.home, 'state', 'agent.token'), 'utf8').trim(),
  };
  for (const { name, fixture } of fixtures) {
    const skip = fixture.tmux === true && noTmux;
    await t.test(`${name}: ${fixture.what}`, { skip }, async (t) => {
      const played = await play(t, daemon, tokens, fixture);
      const received = fixture.link?.flatMap((message) => ('receive' in message ? [message.receive] : []));
      const expected =
        fixture.event !== undefined ? { data: fixture.data } : (fixture.answer ?? { received });
      t.equal(difference(expected, played), undefined, 'no difference');
    });
  }
});

t.test('every answer and event is of its schema', async (t) => {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true } });
  const placeholder = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('"<uint>"', '1')
        .replaceAll(/"<(time|epoch|version|text|client_id)>"/g, '"c_12345678"')
        .replaceAll(/"\{app\d\}"/g, '"c_12345678"'),
    );
  for (const { name, fixture } of fixtures) {
    if (fixture.event !== undefined) {
      const schema = eventSchemas[fixture.event as keyof typeof eventSchemas];
      t.ok(ajv.validate(schema, placeholder(fixture.data)), `${name} ${ajv.errorsText()}`);
    }
    const body = fixture.answer?.body as { ok: boolean; data?: unknown } | undefined;
    const route: Route | undefined = routes[fixture.route as keyof typeof routes];
    if (body?.ok === true && route?.data !== undefined)
      t.ok(ajv.validate(route.data, placeholder(body.data ?? {})), `${name} ${ajv.errorsText()}`);
  }
});

t.test('nothing of the wire is without a fixture', async (t) => {
  const has = (check: (fixture: Fixture) => boolean) => fixtures.some(({ fixture }) => check(fixture));
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (name !== 'events' && name !== 'gateway') {
      t.ok(
        has((fixture) => fixture.route === name && fixture.code === undefined),
        `success of ${name}`,
      );
    }
    for (const code of route.errors)
      t.ok(
        has((fixture) => fixture.route === name && fixture.code === code),
        `${code} of ${name}`,
      );
  }
  for (const code of Object.keys(errorTable))
    t.ok(
      has((fixture) => fixture.code === code),
      `the code ${code}`,
    );
  for (const event of Object.keys(eventSchemas)) {
    for (const reader of ['provider', 'watcher'])
      t.ok(
        has((fixture) => fixture.event === event && fixture.reader === reader),
        `${event} for a ${reader}`,
      );
  }
  // `denied/changed` follows a change of leo.yaml, which a scene cannot make; test/e2e/broker-link has it.
  const methods = [...linkMethods.gateway, ...linkMethods.broker].filter(
    (method) => method !== 'denied/changed',
  );
  const links = fixtures.map(({ fixture }) => JSON.stringify(fixture.link ?? []));
  for (const method of methods)
    t.ok(
      links.some((link) => link.includes(`"method":"${method}"`)),
      method,
    );
  for (const code of Object.values(linkError))
    t.ok(
      links.some((link) => link.includes(`"code":${code}`)),
      `the error ${code} of the link`,
    );
});
