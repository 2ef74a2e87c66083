// `api_clients` changed in place: one client, and no other byte.

import { deepStrictEqual, strictEqual } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { parseConfig } from '../../lib/config/config.js';
import { withClient, withoutClient } from '../../lib/config/edit-clients.js';

const scout = { canMessage: ['rocket', 'build-*'] };
const line = 'docker-scout: { can_message: [rocket, "build-*"] }';

const rows: readonly (readonly [what: string, before: string, after: string])[] = [
  ['no file', '', `api_clients:\n  ${line}\n`],
  ['comments only', '# mine\n', `# mine\napi_clients:\n  ${line}\n`],
  ['no newline at the end', 'web: { port: 1 }', `web: { port: 1 }\napi_clients:\n  ${line}\n`],
  [
    'other settings, oddly written',
    'web:   {port:    1}   # mine\n\n\ndeny_tools:   [ ]\n',
    `web:   {port:    1}   # mine\n\n\ndeny_tools:   [ ]\napi_clients:\n  ${line}\n`,
  ],
  [
    'a section without a client',
    'api_clients:   # none yet\nweb: { port: 1 }\n',
    `api_clients:   # none yet\n  ${line}\nweb: { port: 1 }\n`,
  ],
  [
    'a section with clients, comments and an indent of its own',
    '# top\napi_clients:\n    # the first\n    a: { can_message: [x] } # why\n\n    b:\n        can_message:\n            - y   # one\n            - z\n    # the end\nweb: { port: 1 } # last\n',
    `# top\napi_clients:\n    # the first\n    a: { can_message: [x] } # why\n\n    b:\n        can_message:\n            - y   # one\n            - z\n    ${line}\n    # the end\nweb: { port: 1 } # last\n`,
  ],
  [
    'carriage returns',
    'web: { port: 1 }\r\napi_clients:\r\n  a: {}\r\n',
    `web: { port: 1 }\r\napi_clients:\r\n  a: {}\r\n  ${line}\r\n`,
  ],
  ['a byte order mark', '\ufeffweb: { port: 1 }\n', `\ufeffweb: { port: 1 }\napi_clients:\n  ${line}\n`],
  ['a document that begins', '---\nweb: { port: 1 }\n', `---\nweb: { port: 1 }\napi_clients:\n  ${line}\n`],
];

t.test('a client is put in, and nothing else changes', async (t) => {
  for (const [what, before, after] of rows) t.equal(withClient(before, 'docker-scout', scout), after, what);
});

t.test('a client is taken out, and nothing else changes', async (t) => {
  for (const [what, before, after] of rows) {
    const had = before.includes('api_clients');
    const end = before === '' || before.endsWith('\n') ? '' : '\n';
    t.equal(withoutClient(after, 'docker-scout'), had ? before : `${before}${end}api_clients:\n`, what);
  }
  t.equal(
    withoutClient('api_clients:\n  # of a\n  a:\n    can_message:\n      - x # y\n  # of b\n  b: {}\n', 'a'),
    'api_clients:\n  # of a\n  # of b\n  b: {}\n',
    'of several lines, and the comments stay',
  );
});

t.test('other ways of writing it keep their content and their comments', async (t) => {
  for (const before of [
    '# top\napi_clients: { a: { can_message: [x] } } # end\nweb: { port: 1 } # mine\n',
    '{ web: { port: 1 }, api_clients: { a: {} } }\n',
    '{}\n',
    '  web: { port: 1 }\n',
    'web: { port: 1 }\n...\n',
    'deny_tools: &none []\napi_clients:\n  a: { can_message: *none }\n',
    'api_clients: &all\n  a: {}\n',
    '"api_clients":\n  "a": {}\n  ? b\n  : {}\n',
  ]) {
    const after = withClient(before, 'docker-scout', scout);
    const config = parseConfig(after);
    const { apiClients, ...rest } = parseConfig(before);
    t.strictSame(config, { ...rest, apiClients: { ...apiClients, 'docker-scout': scout } }, after);
    for (const comment of before.match(/# \w+/g) ?? []) t.match(after, comment);
    t.strictSame(parseConfig(withoutClient(after, 'docker-scout')), parseConfig(before), 'and back');
  }
});

t.test('whatever is allowed as a pattern comes back as it was', async () => {
  const pattern = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      '*',
      'null',
      '~',
      'true',
      '1',
      '#',
      'a: b',
      '- a',
      '"',
      "'",
      '&a',
      '*a',
      '!a',
      '{',
      ']',
      'no',
    ),
  );
  const name = fc.constantFrom('a', 'true', 'null', 'constructor', 'docker-scout', 'y');
  fc.assert(
    fc.property(name, fc.array(pattern), (name, canMessage) => {
      const after = withClient('# top\napi_clients:\n  b: {}\n', name, { canMessage });
      deepStrictEqual(parseConfig(after).apiClients, { b: { canMessage: [] }, [name]: { canMessage } });
      strictEqual(withoutClient(after, name), '# top\napi_clients:\n  b: {}\n');
    }),
    { numRuns: 200 },
  );
});
