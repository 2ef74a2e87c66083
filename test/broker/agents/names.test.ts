import t from 'tap';
import { agentMeant, freeName, isTaken, meantBy } from '../../../lib/broker/agents/names.js';
import { templateNamePattern } from '../../../lib/config/templates.js';
import { supervisedNamePattern } from '../../../lib/wire/names.js';

t.test('a new agent is called after its template, with a number where that is taken', async (t) => {
  const rows: readonly (readonly [template: string, taken: readonly string[], name: string])[] = [
    ['fix', [], 'fix'],
    ['fix', ['fix'], 'fix-2'],
    ['fix', ['fix', 'fix-2'], 'fix-3'],
    ['fix', ['fix', 'fix-3'], 'fix-2'],
    ['fix', ['fix-2'], 'fix'],
    ['fix', ['FIX'], 'fix-2'],
    ['Fix', ['fix', 'fix-2'], 'Fix-3'],
    ['a'.repeat(48), ['a'.repeat(48)], `${'a'.repeat(46)}-2`],
  ];
  for (const [template, taken, name] of rows) {
    t.equal(freeName(template, taken), name, `${template} beside ${taken.join(', ') || 'none'}`);
    t.match(name, new RegExp(supervisedNamePattern));
  }
  t.equal(templateNamePattern, supervisedNamePattern, 'an agent may be called as its template');
  t.equal(isTaken('ROCKET', ['rocket']), true);
  t.equal(isTaken('rock', ['rocket']), false);
});

t.test('a shorthand means one agent, none, or is refused with the choices', async (t) => {
  const names = ['rocket', 'fix', 'fix-2', 'hot-fix', 'Scout', 'scout-2', 'big-Scout-2', 'A', 'a'];
  const rows: readonly (readonly [wanted: string, meant: string | undefined | readonly string[]])[] = [
    ['rocket', 'rocket'],
    ['ROCKET', 'rocket'],
    ['cket', 'rocket'],
    ['rock', undefined],
    ['fix', 'fix'],
    ['Fix', 'fix'],
    ['fix-2', 'fix-2'],
    ['ix', ['fix', 'hot-fix']],
    ['t-fix', 'hot-fix'],
    ['scout', 'Scout'],
    ['SCOUT-2', 'scout-2'],
    ['out-2', ['big-Scout-2', 'scout-2']],
    ['a', 'a'],
    ['A', 'A'],
    ['', undefined],
    ['*', undefined],
    ['constructor', undefined],
  ];
  for (const [wanted, meant] of rows) {
    const expected =
      meant === undefined
        ? { kind: 'none' }
        : typeof meant === 'string'
          ? { kind: 'one', name: meant }
          : { kind: 'several', choices: meant };
    t.strictSame(meantBy(wanted, names), expected, JSON.stringify(wanted));
  }
  t.strictSame(meantBy('aB', ['Ab', 'AB']), { kind: 'several', choices: ['AB', 'Ab'] });
  t.strictSame(meantBy('fix', ['fix-2']), { kind: 'none' }, 'fix has ended, and is not fix-2');
  t.equal(agentMeant('cket', names), 'rocket');
  t.throws(() => agentMeant('ix', names), { code: 'invalid_request', message: /fix, hot-fix/ });
  t.throws(() => agentMeant('nobody', names), { code: 'not_found', message: /leo agent list/ });
});
