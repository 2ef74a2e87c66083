import t from 'tap';
import { measureProcessEnd } from '../../../../lib/probe/measure/calls/process-end.js';
import { standIn, valuesOf } from '../../../support/stand-in-install.js';

t.test('what becomes of the server when its harness ends is seen, sign by sign', async (t) => {
  t.match(valuesOf(await measureProcessEnd(standIn(t))), {
    'normal exit': /^EOF, \+0\.\d\d s lived its full 0\.3 s$/,
    'SIGTERM, call pending': /^(EOF|orphan), .*(EOF|orphan).* s lived its full 0\.3 s$/,
    'SIGKILL, call pending': /^(EOF|orphan), .*(EOF|orphan).* s lived its full 0\.3 s$/,
  });
});
