// The eight harnesses.

import type { HarnessName } from '../../setup/index.js';
import type { Driver, RunPlace } from './driver.js';

const modelUrl = ({ modelPort }: RunPlace) => `http://127.0.0.1:${modelPort}`;

const claudeArgs = ({ serverName }: RunPlace) => [
  '-p',
  `--allowedTools=mcp__${serverName.replaceAll('.', '_')}`,
];

const opencodeLike = (file: string, quiet: Readonly<Record<string, string>>): Driver => ({
  api: 'chat',
  programs: [],
  files: (place) => ({
    [file]: JSON.stringify({
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      model: 'probe/scripted',
      small_model: 'probe/scripted',
      permission: { '*': 'allow' },
      provider: {
        probe: {
          npm: '@ai-sdk/openai-compatible',
          name: 'probe',
          options: { baseURL: `${modelUrl(place)}/v1`, apiKey: 'x' },
          models: {
            scripted: {
              name: 'scripted',
              tool_call: true,
              attachment: true,
              modalities: { input: ['text', 'image'], output: ['text'] },
              limit: { context: 200_000, output: 8_000 },
            },
          },
        },
      },
    }),
  }),
  env: (place) => ({ PWD: place.project, ...quiet }),
  once: (prompt) => ['run', prompt],
  resumed: (prompt) => ['run', '-c', prompt],
  session: { kind: 'acp', args: () => ['acp'] },
});

const opencode = opencodeLike('.config/opencode/opencode.json', {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
});
const kilo = opencodeLike('.config/kilo/kilo.json', {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  KILO_DISABLE_MODELS_FETCH: '1',
  KILO_DISABLE_AUTOUPDATE: '1',
  KILO_TELEMETRY_LEVEL: 'off',
});

export const drivers: Readonly<Record<HarnessName, Driver>> = {
  'claude-code': {
    api: 'anthropic',
    programs: ['claude'],
    files: () => ({}),
    env: (place) => ({
      ANTHROPIC_BASE_URL: modelUrl(place),
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    once: (prompt, place) => [...claudeArgs(place), prompt],
    resumed: (prompt, place) => [...claudeArgs(place), '--continue', prompt],
    session: {
      kind: 'stream-json',
      args: (place) => [
        ...claudeArgs(place),
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--verbose',
      ],
    },
  },
  codex: {
    api: 'responses',
    programs: ['codex'],
    files: (place) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "probe"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        'check_for_update_on_startup = false',
        '',
        '[model_providers.probe]',
        'name = "probe"',
        `base_url = "${modelUrl(place)}/v1"`,
        'wire_api = "responses"',
        'env_key = "PROBE_KEY"',
        '',
      ].join('\n'),
    }),
    env: () => ({ PROBE_KEY: 'x' }),
    once: (prompt) => ['exec', '--skip-git-repo-check', prompt],
    resumed: (prompt) => ['exec', '--skip-git-repo-check', 'resume', '--last', prompt],
    session: { kind: 'app-server', args: () => ['app-server'] },
  },
  opencode: { ...opencode, programs: ['opencode'] },
  'gemini-cli': {
    api: 'gemini',
    programs: ['gemini'],
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (place) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: modelUrl(place) }),
    once: (prompt) => ['-m', 'gemini-2.5-pro', '--yolo', '--skip-trust', '-p', prompt],
    resumed: (prompt) => [
      '-m',
      'gemini-2.5-pro',
      '--yolo',
      '--skip-trust',
      '--resume',
      'latest',
      '-p',
      prompt,
    ],
    session: { kind: 'acp', args: () => ['-m', 'gemini-2.5-pro', '--yolo', '--skip-trust', '--acp'] },
  },
  'copilot-cli': {
    api: 'chat',
    programs: ['copilot'],
    files: () => ({}),
    env: (place) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl(place)}/v1`,
      COPILOT_MODEL: 'gpt-4.1',
    }),
    once: (prompt) => ['--allow-all-tools', '-p', prompt],
    resumed: (prompt) => ['--allow-all-tools', '--continue', '-p', prompt],
    session: { kind: 'acp', args: () => ['--allow-all-tools', '--acp'] },
  },
  'qwen-code': {
    api: 'chat',
    programs: ['qwen'],
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (place) => ({
      OPENAI_API_KEY: 'x',
      OPENAI_BASE_URL: `${modelUrl(place)}/v1`,
      OPENAI_MODEL: 'm1',
    }),
    once: (prompt) => ['--yolo', '-p', prompt],
    resumed: (prompt) => ['--yolo', '--continue', '-p', prompt],
    session: { kind: 'acp', args: () => ['--yolo', '--acp'] },
  },
  kilo: {
    ...kilo,
    programs: ['kilo'],
    once: (prompt) => ['run', '--auto', prompt],
    resumed: (prompt) => ['run', '--auto', '-c', prompt],
  },
  cline: {
    api: 'chat',
    programs: ['cline'],
    files: (place) => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: 'x',
              model: 'scripted',
              baseUrl: `${modelUrl(place)}/v1`,
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
    // Its Agent Client Protocol wants an account, unless its environment names a provider.
    env: () => ({ CLINE_API_KEY: 'x', CLINE_PROVIDER: 'openai-compatible', CLINE_MODEL: 'scripted' }),
    once: (prompt) => [prompt],
    resumed: undefined,
    session: { kind: 'acp', args: () => ['--acp'] },
  },
};
