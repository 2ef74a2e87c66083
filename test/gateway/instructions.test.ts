import t from 'tap';
import { instructionsFor } from '../../lib/gateway/instructions.js';

for (const mode of ['native', 'fallback'] as const) {
  t.test(`the instructions for ${mode} tools say what Leo is and how to wait, in short`, async (t) => {
    const text = instructionsFor(mode);
    t.ok(text.length < 2000, `${text.length} characters`);
    t.match(text, /^Leo lends you the tools of apps/);
    t.match(text, /still waiting: <id>.*leo_app_wait {"id": "<id>"}/);
  });
}

t.test('only where there is the pair do they say how to use it', async (t) => {
  t.match(instructionsFor('fallback'), /leo_app_tools lists .*leo_app_call {"tool": NAME, "args": {\.\.\.}}/);
  t.notMatch(instructionsFor('native'), /leo_app_tools|leo_app_call/);
});
