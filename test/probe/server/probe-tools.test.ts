import t from 'tap';
import type { ModelRequest, OfferedTool } from '../../../lib/probe/model/conversation.js';
import {
  badTools,
  myTool,
  namedTools,
  offeredOf,
  type ProbeTool,
  secondTool,
  shapedTools,
} from '../../../lib/probe/server/probe-tools.js';
import { isJsonObject } from '../../../lib/wire/json.js';

function request(...tools: readonly OfferedTool[]): ModelRequest {
  return {
    api: 'chat',
    streamed: true,
    system: '',
    tools,
    prompts: [],
    answers: [],
    images: 0,
    body: {},
  };
}

/** A tool as a harness may offer it: under another name, with more around its description. */
function offered(tool: ProbeTool, name = `mcp__leo__${tool.name}`): OfferedTool {
  const { description, inputSchema } = tool.listed;
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    schema: inputSchema,
  };
}

const tools = [...Object.values(namedTools), ...Object.values(shapedTools), secondTool];

t.test('each tool is found among all, whatever its name became', async (t) => {
  const kept = request(...tools.map((tool) => offered(tool)));
  for (const [index, tool] of tools.entries()) t.equal(offeredOf(kept, tool), kept.tools[index], tool.name);
  const marked = tools.filter(({ listed }) => String(listed.description ?? '') !== '');
  const renamed = request(...marked.map((tool, index) => offered(tool, `renamed_${index}`)));
  for (const [index, tool] of marked.entries())
    t.equal(offeredOf(renamed, tool), renamed.tools[index], tool.name);
});

t.test('a tool that is not offered is not found', async (t) => {
  for (const tool of tools) {
    const others = request(...tools.filter((other) => other !== tool).map((other) => offered(other)));
    t.equal(offeredOf(others, tool), undefined, tool.name);
  }
  t.equal(offeredOf(request(), myTool), undefined);
  t.equal(
    offeredOf(request({ name: 'leo_my_tool', description: undefined, schema: {} }), myTool),
    undefined,
    'a name alone is not enough where there is a mark',
  );
});

t.test('a description that is cut or prefixed still tells the tool', async (t) => {
  const { description } = myTool.listed;
  const made = { name: 'x', description: `(leo) ${description}… [truncated]`, schema: {} };
  t.equal(offeredOf(request(made), myTool), made);
});

t.test('names and schemas are as their cells say', async (t) => {
  for (const [cell, { name, listed }] of Object.entries(namedTools)) {
    const length = /^(\d+) characters$/.exec(cell)?.[1];
    if (length !== undefined) t.equal(name.length, Number(length));
    t.equal(listed.name, name);
  }
  t.equal(new Set(tools.map(({ name }) => name)).size, tools.length, 'no name stands twice');
  t.equal(String(shapedTools['description of 5,000']?.listed.description).length > 4990, true);
  const wide = shapedTools['512 schemas']?.listed.inputSchema;
  t.equal(isJsonObject(wide) && isJsonObject(wide.properties) && Object.keys(wide.properties).length, 511);
  let depth = 0;
  for (let at = shapedTools['depth 16']?.listed.inputSchema; isJsonObject(at); depth += 1)
    at = isJsonObject(at.properties) ? at.properties.x : undefined;
  t.equal(depth, 16);
  t.notOk('inputSchema' in (badTools['inputSchema absent']?.[0]?.listed ?? {}));
});
