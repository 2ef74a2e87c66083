// Over each harness's naming as it was measured (harnesscaps.json): no set of tools that can be registered makes
// a harness show two under one name, or one under a name that it has cut (design 6).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { checkedTools } from '../../lib/broker/check/tools.js';
import { type HarnessNaming, parseHarnessCaps } from '../../lib/config/harness-caps.js';
import { unknownHarness } from '../../lib/config/unknown-harness.js';
import { LeoError } from '../../lib/wire/errors.js';
import { ownTools, toolNamePattern } from '../../lib/wire/names.js';
import { root } from '../support/daemon.js';

const { harnesses } = parseHarnessCaps(
  readFileSync(join(root, 'harnesscaps.json'), 'utf8'),
  'harnesscaps.json',
);
const longestServer = 'leo-remote';

/** The name that a harness makes of a tool, uncut. */
function shown({ form, replaced }: HarnessNaming, server: string, tool: string): string {
  const named = (text: string) => [...text].map((character) => replaced[character] ?? character).join('');
  return form.replace('{server}', named(server)).replace('{tool}', named(tool));
}

const anyName = fc.stringMatching(new RegExp(toolNamePattern));
const longName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{45}$/);
/** Names that are nearly the same: of few letters, in both cases, with both dashes. */
const nearName = fc.stringMatching(/^[aA][bB_-]{0,3}$/);
/** What the registry lets in of a list of names: those that it refuses are left out, one by one. */
const registrable = fc
  .array(fc.oneof(anyName, longName, nearName), { minLength: 1, maxLength: 12 })
  .map((names) => {
    const kept: { name: string; input_schema: object }[] = [];
    for (const name of names) {
      const tool = { name, input_schema: { type: 'object' } };
      try {
        checkedTools([...kept, tool]);
        kept.push(tool);
      } catch (error) {
        if (!(error instanceof LeoError)) throw error;
      }
    }
    return kept.map((tool) => tool.name);
  });
/** Without dots and slashes: cline puts nine more characters behind a name that holds one. */
const server = fc.oneof(
  fc.constantFrom('leo', longestServer, 'my-leo'),
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,9}$/),
);

for (const { name, naming } of [
  ...harnesses,
  { name: 'an unknown harness', naming: unknownHarness.naming },
]) {
  t.test(`${name} shows every tool under a name of its own, uncut`, async () => {
    fc.assert(
      fc.property(registrable, server, (names, of) => {
        const all = [...ownTools, ...names].map((tool) => shown(naming, of, tool));
        return (
          all.every((one) => naming.limit === null || one.length <= naming.limit) &&
          // Case tells nothing apart on some systems, and is not relied on.
          new Set(all.map((one) => one.toLowerCase())).size === all.length
        );
      }),
      { numRuns: 300 },
    );
  });
}

t.test('names are as measured', async (t) => {
  const rows: readonly [harness: string, server: string, tool: string, shown: string][] = [
    ['claude-code', 'my-leo.2', 'my_tool', 'mcp__my-leo_2__my_tool'],
    ['codex', 'my-leo.2', 'my-tool', 'mcp__my_leo_2my_tool'],
    ['opencode', 'my-leo.2', 'my_tool', 'my-leo_2_my_tool'],
    ['kilo', 'leo', 'my_tool', 'leo_my_tool'],
    ['gemini-cli', 'my-leo.2', 'my_tool', 'mcp_my-leo.2_my_tool'],
    ['copilot-cli', 'my-leo.2', 'my_tool', 'my-leo-2-my_tool'],
    ['qwen-code', 'my-leo.2', 'my_tool', 'mcp__my-leo.2__my_tool'],
    ['cline', 'leo', 'my_tool', 'leo__my_tool'],
  ];
  for (const [harness, of, tool, wanted] of rows) {
    const naming = harnesses.find(({ name }) => name === harness)?.naming;
    t.equal(naming && shown(naming, of, tool), wanted, harness);
  }
});

t.test('with the longest server name the longest tool name just fits', async (t) => {
  const tool = 'x'.repeat(46);
  const longest = Math.max(...harnesses.map(({ naming }) => shown(naming, longestServer, tool).length));
  t.equal(longest, Math.min(...harnesses.map(({ naming }) => naming.limit ?? Number.POSITIVE_INFINITY)));
  t.ok(new RegExp(toolNamePattern).test(tool) && !new RegExp(toolNamePattern).test(`${tool}x`));
});
