import fc from 'fast-check';
import t from 'tap';
import { agentName, sanitizeAgentName } from '../../lib/gateway/identity.js';
import { agentNamePattern } from '../../lib/wire/names.js';

const rows: readonly [
  flag: string | undefined,
  env: string | undefined,
  cwd: string | undefined,
  name: string,
][] = [
  ['rocket', 'other', '/home/me/site', 'rocket'],
  [undefined, 'other', '/home/me/site', 'other'],
  [undefined, '', '/home/me/site', 'site'],
  [undefined, undefined, '/', 'agent'],
  [undefined, undefined, undefined, 'agent'],
  ['a/b', undefined, '/x', 'a b'],
  ['\u0007\n', undefined, '/x', 'x'],
  [' padded ', undefined, '/x', 'padded'],
  ['x'.repeat(100), undefined, '/x', 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, undefined, '/x', 'x'.repeat(63)],
];
for (const [flag, env, cwd, name] of rows) {
  t.test(`${JSON.stringify([flag, env, cwd])} is ${name}`, async (t) =>
    t.equal(agentName({ flag, env, cwd }), name),
  );
}

t.test('every name is one that the broker takes', async () => {
  const valid = new RegExp(agentNamePattern, 'u');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const name = sanitizeAgentName(text);
      return name === '' || valid.test(name);
    }),
  );
});
