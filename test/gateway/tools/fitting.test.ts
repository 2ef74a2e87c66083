import fc from 'fast-check';
import t from 'tap';
import { fitTool } from '../../../lib/gateway/tools/fitting.js';
import { maxDescriptionLength } from '../../../lib/wire/tool.js';
import { catalogueTool } from '../../support/catalogue.js';

/** As Claude Code takes a tool, and as a harness does that takes anything. */
const dropping = { dropsRootCombinators: true, descriptionLimit: 2048 };
const taking = { dropsRootCombinators: false, descriptionLimit: null };

t.test('a tool has a description and properties, whatever its app gave', async (t) => {
  for (const description of ['', '  ']) {
    t.match(fitTool(catalogueTool('snap', { description }), taking), {
      description: 'snap, a tool of the app group demo.',
      inputSchema: { type: 'object', properties: {} },
    });
  }
  const { description: _none, ...bare } = catalogueTool('snap');
  t.match(fitTool(bare, taking), { description: /snap/ });
});

const schema = {
  type: 'object',
  properties: { b: { type: 'string', default: { z: 1, a: 2 } }, a: {} },
  anyOf: [{ required: ['b'] }, { required: ['a'] }],
  allOf: [{}],
} as const;

t.test('root combinators go into the description where the harness drops such tools', async (t) => {
  const fitted = fitTool(catalogueTool('snap', { inputSchema: schema }), dropping);
  t.equal(
    fitted.description,
    'Does snap.\n\nThe arguments must match at least one of: [{"required":["b"]},{"required":["a"]}].\n\nThe arguments must match every one of: [{}].',
  );
  t.strictSame(Object.keys(fitted.inputSchema), ['properties', 'type']);
});

t.test('elsewhere they stay', async (t) => {
  const fitted = fitTool(catalogueTool('snap', { inputSchema: schema }), taking);
  t.equal(fitted.description, 'Does snap.');
  t.strictSame(fitted.inputSchema.anyOf, schema.anyOf);
});

t.test('the order in which an app wrote its keys makes no difference', async (t) => {
  const one = fitTool(catalogueTool('snap', { inputSchema: schema }), dropping);
  const other = fitTool(
    catalogueTool('snap', {
      inputSchema: {
        allOf: [{}],
        anyOf: [{ required: ['b'] }, { required: ['a'] }],
        properties: { a: {}, b: { default: { a: 2, z: 1 }, type: 'string' } },
        type: 'object',
      },
    }),
    dropping,
  );
  t.equal(JSON.stringify(one), JSON.stringify(other));
});

t.test('a property may have any name', async (t) => {
  const inputSchema = {
    properties: { anyOf: { type: 'string' }, constructor: {}, type: {} },
    type: 'object',
  };
  const fitted = fitTool(catalogueTool('snap', { inputSchema }), dropping);
  t.equal(JSON.stringify(fitted.inputSchema), JSON.stringify(inputSchema));
});

const sentence =
  'The arguments must match at least one of: [{"required":["b"]},{"required":["a"]}].\n\nThe arguments must match every one of: [{}].';
const words = (length: number) => 'Takes a photo. '.repeat(length).slice(0, length).trimEnd();

t.test('where the words of an app are many, what the arguments must match comes first', async (t) => {
  const description = words(maxDescriptionLength);
  const fitted = fitTool(catalogueTool('snap', { description, inputSchema: schema }), dropping);
  t.ok(fitted.description.startsWith(`${sentence}\n\nTakes a photo.`));
  t.ok(fitted.description.endsWith('photo. … [cut]') || fitted.description.endsWith('a … [cut]'));
  t.ok(fitted.description.length <= 2048);
});

t.test('a description is cut only for a harness that cuts it', async (t) => {
  const description = words(maxDescriptionLength);
  t.equal(fitTool(catalogueTool('snap', { description }), taking).description, description);
  t.equal(
    fitTool(catalogueTool('snap', { description: words(2000) }), dropping).description,
    words(2000),
    'one that fits is whole',
  );
});

t.test('whatever an app says, its words and its arguments are in the first 1,800 characters', async () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4096 }), fc.nat(maxDescriptionLength).map(words)),
      fc.nat(200),
      fc.constantFrom('anyOf', 'oneOf', 'allOf'),
      (description, branches, keyword) => {
        const list = Array.from({ length: branches }, (_, n) => ({ required: [`name_${n}`] }));
        const inputSchema = { type: 'object', [keyword]: list };
        const fitted = fitTool(catalogueTool('snap', { description, inputSchema }), dropping);
        const shown = fitted.description.slice(0, 1800);
        const told = `The arguments must match`;
        const own = description.trim() === '' ? 'snap, a tool' : description.slice(0, 500);
        return (
          fitted.description.isWellFormed() === description.isWellFormed() &&
          fitted.description.length <= 2048 &&
          shown.includes(told) &&
          shown.includes(own) &&
          (shown.includes(`${JSON.stringify(list)}.`) || shown.includes('… [cut]\n\n')) &&
          !Object.hasOwn(fitted.inputSchema, keyword) &&
          Object.hasOwn(fitted.inputSchema, 'properties')
        );
      },
    ),
  );
});
