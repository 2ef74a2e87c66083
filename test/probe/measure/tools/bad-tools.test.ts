import t from 'tap';
import { measureBadTools } from '../../../../lib/probe/measure/tools/bad-tools.js';
import { measureServerName } from '../../../../lib/probe/measure/tools/server-name.js';
import { standIn, valuesOf } from '../../../support/stand-in-install.js';

// Each test has places of its own, and mostly waits.
t.jobs = 2;

t.test('tools that cost the server all of its tools are told from those that do not', async (t) => {
  t.strictSame(valuesOf(await measureBadTools(standIn(t))), {
    'inputSchema absent': 'server dropped',
    'inputSchema {}': 'server dropped',
    'root $ref without type': 'server dropped',
    'required: null': 'ok',
    'property schema true': 'ok',
    'root type ["object","null"]': 'server dropped',
    'dangling $ref, invalid pattern': 'ok',
    'the same name twice': 'one kept, the first',
  });
});

t.test("what becomes of a server's name is seen", async (t) => {
  t.strictSame(valuesOf(await measureServerName(standIn(t))), {
    'server my-leo.2': 'mcp__my-leo_2__my_tool',
  });
});
