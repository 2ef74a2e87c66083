import t from 'tap';
import { checkConfigFile } from '../../lib/doctor/config-file.js';

const known = new Set(['take_photo', 'leo_app_call', 'photo_*']);
const matches = (pattern: string) => known.has(pattern);
const check = (text: string, own = true) => {
  const { config, errors, warnings } = checkConfigFile(text, { matches, own });
  const lines = (faults: typeof errors) => faults.map(({ line, message }) => `${line}: ${message}`);
  return { usable: config !== undefined, errors: lines(errors), warnings: lines(warnings) };
};

t.test('what a daemon would not start with is an error, with its line', (t) => {
  const rows: readonly (readonly [string, readonly RegExp[]])[] = [
    ['', []],
    ['web: { port: 8370 }\n', []],
    ['- a\n- b\n', [/^1: the file must be object or null$/]],
    ['web:\n  port: high\n', [/^2: web\.port must be integer$/]],
    ['web: {}\n\nwbe: {}\ndaemon: 1\n', [/^3: unknown key `wbe`$/, /^4: daemon must be object$/]],
    ['web: { port: 1\n', [/^2: /]],
    ['# where\nweb:\n  bind: 0.0.0.0\n', [/^3: web\.bind 0\.0\.0\.0 is beyond loopback: .*allowed_hosts$/]],
    ['web: { bind: 0.0.0.0, allowed_hosts: [a] }\n', []],
    [
      'deny_tools:\n  - take_photo\n  - take_foto\nagents:\n  rocket:\n    deny_tools: [leo_app_call, x]\n',
      [/^3: deny_tools: "take_foto" is neither/, /^6: agents\.rocket\.deny_tools: "x" is neither/],
    ],
    [
      'templates:\n  mine: { harness: custom }\n',
      [/^2: templates\.mine has the harness custom: say what to run/],
    ],
    [
      'templates:\n  a:\n    harness: codex\n    deny_tools: [y]\n',
      [/^4: templates\.a\.deny_tools: "y" is neither/],
    ],
  ];
  for (const [text, errors] of rows) {
    const found = check(text);
    t.match(found.errors, errors, text);
    t.equal(found.errors.length, errors.length, text);
    t.equal(found.usable, errors.length === 0, text);
  }
  t.end();
});

t.test('a glob that matches nothing is a warning; so is an unknown name in the file of no home', (t) => {
  const glob = check('deny_tools: [photo_*, camera_*]\n');
  t.same(glob.errors, []);
  t.match(glob.warnings, [/^1: deny_tools: "camera_\*" matches no tool/]);
  const elsewhere = check('deny_tools: [take_foto]\n', false);
  t.same(elsewhere.errors, []);
  const taken = check('web: {}\napi_clients:\n  operator: { can_message: [x] }\n  scout: {}\n');
  t.same(taken.errors, []);
  t.match(taken.warnings, [/^3: api_clients\.operator counts for nothing: .* Leo uses it itself$/]);
  t.equal(taken.warnings.length, 1);
  t.match(elsewhere.warnings, [/^1: deny_tools: "take_foto" is neither/]);
  t.end();
});
