// A real harness as a person sees it: on a tmux server of its own, in a home of its own, against a scripted model.
// Its screens are recorded so (record-screens.ts), and messages are delivered into it (delivery.test.ts).

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Tmux, tmuxOn } from '../../../lib/broker/tmux/run-tmux.js';
import { type Conversation, startConversation } from '../../../lib/probe/conversation.js';
import { harnessPath, programOf } from '../../../lib/probe/find.js';
import type { RunPlace } from '../../../lib/probe/harnesses/driver.js';
import { drivers } from '../../../lib/probe/harnesses/drivers.js';
import { baseEnvironment } from '../../../lib/probe/harnesses/environment.js';
import { killLeftBehind } from '../../../lib/probe/harnesses/left-behind.js';
import type { OfferedTool } from '../../../lib/probe/model/conversation.js';
import { type ModelServer, startModel } from '../../../lib/probe/model/model-server.js';
import { startTrace, traceLine } from '../../../lib/probe/trace.js';
import type { JsonObject } from '../../../lib/wire/json.js';
import { root } from '../../support/daemon.js';

/** The harnesses that Leo starts in tmux (design 9). */
export const paneHarnesses = [
  'claude-code',
  'codex',
  'opencode',
  'gemini-cli',
  'copilot-cli',
  'qwen-code',
] as const;
export type PaneHarness = (typeof paneHarnesses)[number];

interface Manner {
  /** Instead of the driver's files: those allow everything, and here a person is asked. */
  readonly files: (place: RunPlace, trusted: boolean) => Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The tool that runs a command, and what it is given: something that needs a permission. */
  readonly command: { readonly tool: RegExp; readonly args: JsonObject };
  /** Whether it asks whether a folder is trusted. */
  readonly asksTrust: boolean;
}

/** PATH of the harnesses that npm has installed below test/harness, or where LEO_HARNESSES says. */
export const installed = harnessPath(
  '/usr/local/bin:/usr/bin:/bin',
  process.env.LEO_HARNESSES ?? join(root, 'test', 'harness'),
);

const touch = 'touch made-by-the-model';
const modelUrl = ({ modelPort }: RunPlace) => `http://127.0.0.1:${modelPort}`;

const manners: Readonly<Record<PaneHarness, Manner>> = {
  'claude-code': {
    files: (place, trusted) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: ['x'], rejected: [] },
        projects: { [place.project]: { hasTrustDialogAccepted: trusted } },
      }),
    }),
    args: [],
    command: { tool: /^Bash$/, args: { command: touch, description: 'Makes a file' } },
    asksTrust: true,
  },
  codex: {
    files: (place, trusted) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "probe"',
        // A policy in words is trust enough for codex not to ask.
        ...(trusted ? ['approval_policy = "on-request"', 'sandbox_mode = "read-only"'] : []),
        'check_for_update_on_startup = false',
        '',
        '[model_providers.probe]',
        'name = "probe"',
        `base_url = "${modelUrl(place)}/v1"`,
        'wire_api = "responses"',
        'env_key = "PROBE_KEY"',
        '',
        ...(trusted ? [`[projects.${JSON.stringify(place.project)}]`, 'trust_level = "trusted"', ''] : []),
      ].join('\n'),
    }),
    args: [],
    command: {
      tool: /^(exec_command|shell|shell_command)$/,
      args: {
        cmd: touch,
        command: touch,
        sandbox_permissions: 'require_escalated',
        justification: 'Makes a file',
      },
    },
    asksTrust: true,
  },
  opencode: {
    files: (place) => {
      const [[name, text] = ['', '{}']] = Object.entries(drivers.opencode.files(place));
      const config: unknown = { ...JSON.parse(text), permission: { bash: 'ask' } };
      return { [name]: JSON.stringify(config) };
    },
    args: [],
    command: { tool: /^bash$/, args: { command: touch, description: 'Makes a file' } },
    asksTrust: false,
  },
  'gemini-cli': {
    files: (place, trusted) => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
      }),
      ...(trusted
        ? { '.gemini/trustedFolders.json': JSON.stringify({ [place.project]: 'TRUST_FOLDER' }) }
        : {}),
    }),
    args: ['-m', 'gemini-2.5-pro'],
    command: { tool: /^run_shell_command$/, args: { command: touch, description: 'Makes a file' } },
    asksTrust: true,
  },
  'copilot-cli': {
    files: (place, trusted) => ({
      '.copilot/config.json': JSON.stringify({ trusted_folders: trusted ? [place.project] : [] }),
    }),
    args: [],
    command: { tool: /^bash$/, args: { command: touch, description: 'Makes a file' } },
    asksTrust: true,
  },
  'qwen-code': {
    files: (place, trusted) => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: true } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
      ...(trusted
        ? { '.qwen/trustedFolders.json': JSON.stringify({ [place.project]: 'TRUST_FOLDER' }) }
        : {}),
    }),
    args: [],
    command: {
      tool: /^run_shell_command$/,
      args: { command: touch, description: 'Makes a file', is_background: false },
    },
    asksTrust: true,
  },
};

export interface HarnessInTmux {
  readonly harness: PaneHarness;
  /** The name of the tmux server, for `-L`. */
  readonly server: string;
  readonly pane: string;
  readonly project: string;
  readonly conversation: Conversation;
  readonly model: ModelServer;
  readonly asksTrust: boolean;
  /** The tool among these that runs a command, with arguments that need a permission. */
  commandCall(tools: readonly OfferedTool[]): readonly [OfferedTool, JsonObject];
  readonly tmux: Tmux;
  /** Ends the harness that was started in a shell, and only it. */
  killInShell(): Promise<void>;
  /** What happened between it and its model, for the words of an error. */
  story(): string;
  end(): Promise<void>;
}

/** Starts a harness with nothing but a screen and a keyboard. */
export async function startInTmux(
  harness: PaneHarness,
  path: string,
  { trusted, inShell = false }: { readonly trusted: boolean; readonly inShell?: boolean },
): Promise<HarnessInTmux> {
  const program = programOf(harness, path) ?? harness;
  const manner = manners[harness];
  const server = `leo-test-${randomBytes(6).toString('hex')}`;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'leo-pane-')));
  const trace = startTrace();
  const conversation = startConversation(trace);
  const model = await startModel(conversation.script);
  const place: RunPlace = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    modelPort: model.port,
    serverName: 'leo',
  };
  mkdirSync(place.project, { recursive: true });
  // codex asks of a repository whether it is trusted, and of no other folder.
  execFileSync('git', ['init', '-q'], { cwd: place.project });
  for (const [name, text] of Object.entries(manner.files(place, trusted))) {
    mkdirSync(dirname(join(place.home, name)), { recursive: true });
    writeFileSync(join(place.home, name), text);
  }
  mkdirSync(place.home, { recursive: true });
  // In colour, as a person has it: without, Qwen Code's banner breaks it.
  const { NO_COLOR: _, ...base } = baseEnvironment(place.home, path);
  const env = { ...base, ...drivers[harness].env(place), TMPDIR: tmpdir(), TERM: 'tmux-256color' };
  const tmux = tmuxOn({ server, env: process.env });
  const environment = ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const words = inShell ? ['sh', '-i'] : [program, ...manner.args];
  const start = ['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '120', '-y', '40', '-c', place.project];
  const pane = (await tmux([...start, ...environment, ...words])).trim();
  if (inShell) await tmux(['send-keys', '-t', pane, [program, ...manner.args].join(' '), 'Enter']);
  return {
    harness,
    server,
    pane,
    project: place.project,
    conversation,
    model,
    asksTrust: manner.asksTrust,
    commandCall: (tools) => {
      const tool = tools.find(({ name }) => manner.command.tool.test(name));
      if (tool === undefined)
        throw new Error(`${harness} offers no command tool: ${tools.map(({ name }) => name).join(', ')}`);
      return [tool, manner.command.args];
    },
    tmux,
    killInShell: async () => {
      const shell = (await tmux(['display-message', '-p', '-t', pane, '#{pane_pid}'])).trim();
      const rows = execFileSync('ps', ['-A', '-o', 'ppid=,pgid='], { encoding: 'utf8' }).split('\n');
      // Each job of an interactive shell is a process group of its own.
      for (const row of rows) {
        const [parent, group] = row.trim().split(/\s+/);
        if (parent === shell && group !== shell) process.kill(-Number(group), 'SIGKILL');
      }
    },
    story: () => trace.entries.map(traceLine).join('\n'),
    end: async () => {
      await tmux(['kill-server']).catch(() => undefined);
      await killLeftBehind(place.home);
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
