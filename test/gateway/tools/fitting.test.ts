import t from 'tap';
import { fitTool } from '../../../lib/gateway/tools/fitting.js';
import { catalogueTool } from '../../support/catalogue.js';

t.test('a tool has a description and properties, whatever its app gave', async (t) => {
  for (const description of ['', '  ']) {
    t.match(fitTool(catalogueTool('snap', { description }), false), {
      description: 'snap, a tool of the app group demo.',
      inputSchema: { type: 'object', properties: {} },
    });
  }
  const { description: _none, ...bare } = catalogueTool('snap');
  t.match(fitTool(bare, false), { description: /snap/ });
});

const schema = {
  type: 'object',
  properties: { b: { type: 'string', default: { z: 1, a: 2 } }, a: {} },
  anyOf: [{ required: ['b'] }, { required: ['a'] }],
  allOf: [{}],
} as const;

t.test('root combinators go into the description where the harness drops such tools', async (t) => {
  const fitted = fitTool(catalogueTool('snap', { inputSchema: schema }), true);
  t.equal(
    fitted.description,
    'Does snap.\n\nThe arguments must match at least one of: [{"required":["b"]},{"required":["a"]}].\n\nThe arguments must match every one of: [{}].',
  );
  t.strictSame(Object.keys(fitted.inputSchema), ['properties', 'type']);
});

t.test('elsewhere they stay', async (t) => {
  const fitted = fitTool(catalogueTool('snap', { inputSchema: schema }), false);
  t.equal(fitted.description, 'Does snap.');
  t.strictSame(fitted.inputSchema.anyOf, schema.anyOf);
});

t.test('the order in which an app wrote its keys makes no difference', async (t) => {
  const one = fitTool(catalogueTool('snap', { inputSchema: schema }), true);
  const other = fitTool(
    catalogueTool('snap', {
      inputSchema: {
        allOf: [{}],
        anyOf: [{ required: ['b'] }, { required: ['a'] }],
        properties: { a: {}, b: { default: { a: 2, z: 1 }, type: 'string' } },
        type: 'object',
      },
    }),
    true,
  );
  t.equal(JSON.stringify(one), JSON.stringify(other));
});

t.test('a property may have any name', async (t) => {
  const inputSchema = {
    properties: { anyOf: { type: 'string' }, constructor: {}, type: {} },
    type: 'object',
  };
  const fitted = fitTool(catalogueTool('snap', { inputSchema }), true);
  t.equal(JSON.stringify(fitted.inputSchema), JSON.stringify(inputSchema));
});
