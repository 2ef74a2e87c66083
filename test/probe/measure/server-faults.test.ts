// What costs a harness its server: bad tools, a name that is no word, and its own end.

import t from 'tap';
import { measureBadTools } from '../../../lib/probe/measure/bad-tools.js';
import { measureProcessEnd } from '../../../lib/probe/measure/process-end.js';
import { measureServerName } from '../../../lib/probe/measure/server-name.js';
import { standIn, valuesOf } from '../../support/stand-in-install.js';

// Each test has places of its own, and mostly waits.
t.jobs = 3;

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

t.test('what becomes of the server when its harness ends is seen, sign by sign', async (t) => {
  t.match(valuesOf(await measureProcessEnd(standIn(t))), {
    'normal exit': /^EOF, \+0\.\d\d s lived its full 0\.3 s$/,
    'SIGTERM, call pending': /^(EOF|orphan), .*(EOF|orphan).* s lived its full 0\.3 s$/,
    'SIGKILL, call pending': /^(EOF|orphan), .*(EOF|orphan).* s lived its full 0\.3 s$/,
  });
});
