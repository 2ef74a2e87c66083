import t from 'tap';
import { exampleArguments } from '../../lib/cli/example-arguments.js';

t.test('an example has what a schema requires, each the simplest of its kind', async (t) => {
  const properties = {
    text: { type: 'string' },
    side: { type: ['integer', 'null'], minimum: 3 },
    share: { type: 'number' },
    loud: { type: 'boolean' },
    tags: { type: 'array' },
    nothing: { type: 'null' },
    colour: { enum: ['red', 'blue'] },
    kind: { const: 0 },
    unit: { type: 'string', default: 'm' },
    song: { type: 'string', examples: ['la'] },
    place: { type: 'object', properties: { x: { type: 'integer' }, y: {} }, required: ['x'] },
    anything: true,
  };
  const rows = [
    [{ type: 'object' }, {}],
    [{ type: 'object', properties }, {}],
    [{ type: 'object', properties: {}, required: ['toString'] }, {}],
    [
      { type: 'object', properties, required: Object.keys(properties) },
      {
        text: 'text',
        side: 3,
        share: 1,
        loud: true,
        tags: [],
        nothing: null,
        colour: 'red',
        kind: 0,
        unit: 'm',
        song: 'la',
        place: { x: 1 },
        anything: 'anything',
      },
    ],
  ] as const;
  for (const [schema, args] of rows) t.strictSame(exampleArguments(schema), args);
});
