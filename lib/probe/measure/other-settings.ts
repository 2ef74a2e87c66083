// Settings that single harnesses have beside those that all have: another place for the call limit, another way for
// the environment, a model that sees no pictures.

import type { HarnessName } from '../../setup/index.js';
import { evidenceOf, type Figure, type Sections } from '../figure.js';
import { ProbeError } from '../probe-error.js';
import { type RunOptions, withRun } from '../run.js';
import { imageTool, myTool, offeredOf } from '../server/probe-tools.js';
import { limitFigure } from './calls/limits.js';
import { probeEnvironment } from './environment.js';
import type { Subject } from './subject.js';
import { imageAnswer, imageFigure } from './tools/image.js';

type Change = Pick<RunOptions, 'callLimitS' | 'env' | 'edits'>;

/** One setting: the section and cell that it fills, what is set, and how it is looked at. */
interface Setting {
  readonly section: string;
  readonly cell: string;
  readonly change: (subject: Subject) => Change;
  readonly measure: (subject: Subject, change: Change) => Promise<Figure>;
}

const settings: Readonly<Partial<Record<HarnessName, readonly Setting[]>>> = {
  'claude-code': [
    {
      section: 'limits',
      cell: 'MCP_TOOL_TIMEOUT of its environment',
      change: ({ patience }) => ({ env: { MCP_TOOL_TIMEOUT: String(patience.setLimitS * 1000) } }),
      measure: limitFigure,
    },
    {
      section: 'limits',
      cell: 'setting, beside a longer MCP_TOOL_TIMEOUT',
      change: ({ patience }) => ({
        callLimitS: patience.setLimitS,
        env: { MCP_TOOL_TIMEOUT: String(patience.setLimitS * 10_000) },
      }),
      measure: limitFigure,
    },
    {
      section: 'environment',
      cell: 'with CLAUDE_CODE_MCP_ALLOWLIST_ENV=1',
      change: () => ({ env: { CLAUDE_CODE_MCP_ALLOWLIST_ENV: '1' } }),
      measure: arrivingFigure,
    },
  ],
  codex: [
    {
      section: 'environment',
      cell: 'with env_vars = ["LEO_AGENT"]',
      change: () => ({
        edits: {
          '.codex/config.toml': (text) => text.replace('[mcp_servers.leo]', '$&\nenv_vars = ["LEO_AGENT"]'),
        },
      }),
      measure: arrivingFigure,
    },
  ],
  opencode: [
    {
      section: 'limits',
      cell: 'experimental.mcp_timeout',
      change: ({ patience }) => ({
        edits: {
          '.config/opencode/opencode.json': (text) =>
            text.replace('{', `{"experimental":{"mcp_timeout":${patience.setLimitS * 1000}},`),
        },
      }),
      measure: limitFigure,
    },
    {
      section: 'results',
      cell: 'image block, the model declared without pictures',
      change: () => ({
        edits: { '.config/opencode/opencode.json': (text) => text.replace('"text","image"', '"text"') },
      }),
      measure: imageArriving,
    },
  ],
};

/** What the settings of one harness make of it, by sections. */
export async function measureOtherSettings(subject: Subject): Promise<Sections> {
  const sections: Record<string, Record<string, Figure>> = {};
  for (const { section, cell, change, measure } of settings[subject.harness] ?? []) {
    sections[section] = { ...sections[section], [cell]: await measure(subject, change(subject)) };
  }
  return sections;
}

/** Which of the harness's variables arrive at the server. */
async function arrivingFigure(subject: Subject, change: Change): Promise<Figure> {
  return withRun(
    {
      ...subject,
      ...change,
      env: { ...probeEnvironment.harness, ...change.env },
      content: { tools: () => [myTool.listed], call: () => imageAnswer },
    },
    async (run) => {
      const harness = run.once('Say something.');
      (await run.conversation.next()).say('Something.');
      await harness.ended;
      const env = run.server.connections[0]?.env ?? {};
      const names = Object.keys(env).filter((name) => run.environment[name] === env[name]);
      return {
        value: `${env.LEO_AGENT === 'rocket' ? 'LEO_AGENT arrives' : 'LEO_AGENT does not arrive'}; passed on: ${names.sort().join(' ')}`,
        evidence: `LEO_AGENT=${env.LEO_AGENT ?? '(not set)'}`,
      };
    },
  );
}

async function imageArriving(subject: Subject, change: Change): Promise<Figure> {
  return withRun(
    { ...subject, ...change, content: { tools: () => [imageTool.listed], call: () => imageAnswer } },
    async (run) => {
      const harness = run.once('Take a picture.');
      const first = await run.conversation.next();
      const offered = offeredOf(first.request, imageTool);
      if (offered === undefined) throw new ProbeError(`it does not offer ${imageTool.name} to its model`);
      const again = await first.call(offered);
      const figure = imageFigure(again.request);
      again.say('Done.');
      await harness.ended;
      return {
        ...figure,
        evidence: `${figure.evidence}\n${evidenceOf(run.trace, (entry) => entry.kind === 'model-asked')}`,
      };
    },
  );
}
