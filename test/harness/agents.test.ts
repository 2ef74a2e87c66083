// Every harness that Leo starts, for real: in tmux, against a scripted model, with a home in which nothing of Leo is
// set up. Its gateway connects under the agent's name, its first words arrive, and it can be stopped.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { startConversation } from '../../lib/probe/conversation.js';
import { harnessPath } from '../../lib/probe/find.js';
import type { RunPlace } from '../../lib/probe/harnesses/driver.js';
import { drivers } from '../../lib/probe/harnesses/drivers.js';
import { baseEnvironment } from '../../lib/probe/harnesses/environment.js';
import { startModel } from '../../lib/probe/model/model-server.js';
import { startTrace, traceLine } from '../../lib/probe/trace.js';
import type { HarnessName } from '../../lib/setup/index.js';
import type { WireAgent } from '../../lib/wire/bodies/agents.js';
import { root, startDaemon } from '../support/daemon.js';
import { http, post } from '../support/http.js';
import { noTmux, testTmux } from '../support/tmux.js';
import { isAlive, until } from '../support/wait.js';
import { agentName } from './support/harness-suite.js';
import { gatewaysOf } from './support/processes.js';
import { notInstalled } from './support/real-harness.js';

t.setTimeout(380_000);
const path = harnessPath(process.env.PATH ?? '', join(root, 'test', 'harness'));
/** A harness on a busy machine takes its time. */
const patienceMs = 90_000;

interface Start {
  readonly clientName: RegExp;
  /** What a person would have said once: who they are, which folder they trust. */
  readonly files: (place: RunPlace) => Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const starts: Readonly<Partial<Record<HarnessName, Start>>> = {
  'claude-code': {
    clientName: /^claude-code$/,
    files: ({ project }) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: ['x'], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
    args: [],
  },
  codex: { clientName: /^codex-mcp-client$/, files: () => ({}), args: [] },
  opencode: { clientName: /^opencode$/, files: () => ({}), args: [] },
  'gemini-cli': {
    clientName: /^gemini-cli-mcp-client$/,
    files: () => ({}),
    args: ['-m', 'gemini-2.5-pro', '--skip-trust'],
  },
  'copilot-cli': {
    clientName: /^copilot-cli$/,
    files: ({ project }) => ({ '.copilot/config.json': JSON.stringify({ trusted_folders: [project] }) }),
    args: ['--allow-all-tools'],
  },
  'qwen-code': { clientName: /^qwen-cli-mcp-client-leo$/, files: () => ({}), args: [] },
};

for (const [name, start] of Object.entries(starts)) {
  const harness = name as HarnessName;
  const skip = noTmux || notInstalled(harness);
  t.test(
    `${harness}: spawned, it connects under its name, says its first words, and stops`,
    { skip },
    async (t) => {
      await spawned(t, harness, start);
    },
  );
}

async function spawned(t: Test, harness: HarnessName, { clientName, files, args }: Start): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-agents-')));
  const trace = startTrace();
  const conversation = startConversation(trace);
  const model = await startModel(conversation.script);
  const place: RunPlace = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    modelPort: model.port,
    serverName: 'leo',
  };
  const driver = drivers[harness];
  const written: Record<string, string> = { ...driver.files(place), ...files(place) };
  if (harness === 'codex')
    written['.codex/config.toml'] +=
      `\n[projects.${JSON.stringify(place.project)}]\ntrust_level = "trusted"\n`;
  mkdirSync(place.project, { recursive: true });
  for (const [file, text] of Object.entries(written)) {
    mkdirSync(dirname(join(place.home, file)), { recursive: true });
    writeFileSync(join(place.home, file), text);
  }
  const { TERM: _, ...base } = baseEnvironment(place.home, path);
  // Qwen Code paints a gradient, and fails where it may use no colour, as the daemon's own environment may say.
  const env = { ...base, ...driver.env(place), TMPDIR: tmpdir(), NO_COLOR: '' };
  const template = { harness, workspace: place.project, args, env };
  const server = testTmux(t);
  const daemon = await startDaemon(t, {
    config: JSON.stringify({ templates: { one: template } }),
    env: server.env,
  });
  t.teardown(async () => {
    server.kill();
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    if (!t.passing()) for (const entry of trace.entries) t.comment(traceLine(entry));
  });
  const agent = agentName();
  const prompt = "Say 'yes'; then `stop` $(now).";
  const answer = await post(daemon.socket, '/api/v1/agents', { template: 'one', name: agent, prompt });
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  try {
    const up = await until(
      'its gateway is connected',
      async () => (await agentsOf(daemon.socket)).find((one) => one.name === agent && one.sessions > 0),
      patienceMs,
    );
    t.equal(up.kind, 'supervised');
    t.match(up.harness?.name ?? '', clientName);
    t.equal(up.supervised?.harness, harness);
    const turn = await conversation.next(patienceMs);
    t.match(turn.request.prompts.join('\n'), prompt, 'its first words, as they were given');
    turn.say('THE ANSWER');
    await until(
      'its answer is on the screen',
      async () => (await screen()).includes('THE ANSWER'),
      patienceMs,
    );
    const pid = up.supervised?.tmux?.pid ?? 0;
    t.ok(isAlive(pid));
    const stopped = await post(daemon.socket, '/api/agent/stop', { name: agent });
    t.equal(stopped.status, 200, JSON.stringify(stopped.body));
    // Its number stays until the machine's first process reaps it, where tmux has gone too.
    await until('its process is gone', () => !isAlive(pid));
    await until('its gateway is gone', () => gatewaysOf(agent).length === 0);
    for (const [file, text] of Object.entries(written)) {
      const now = readFileSync(join(place.home, file), 'utf8');
      t.notMatch(now, 'mcp-server', `${file}: nothing of Leo is written into it (${text.length} characters)`);
    }
  } catch (error) {
    t.comment(await screen().catch((failed: unknown) => String(failed)));
    throw error;
  }

  function screen(): Promise<string> {
    return server.tmux(['capture-pane', '-p', '-t', `=${agent}:`, '-S', '-200']);
  }
}

async function agentsOf(at: string): Promise<readonly WireAgent[]> {
  const { body } = await http(at, '/api/v1/agents');
  return (body as unknown as { readonly data: { readonly agents: readonly WireAgent[] } }).data.agents;
}
