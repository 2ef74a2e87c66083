// What a session's harness is called in metrics: by the table of harnesses, whatever the harness calls itself, so that
// no program can make as many series as it likes. Pure.

import { isHarnessNamed } from '../../config/harness-pattern.js';

/** As harnesscaps.json has them, which is too large to be loaded for this; a test compares. */
export const labelledHarnesses: readonly (readonly [label: string, pattern: string])[] = [
  ['claude-code', 'claude-code'],
  ['codex', 'codex-mcp-client'],
  ['opencode', 'opencode'],
  ['gemini-cli', 'gemini-cli-mcp-client'],
  ['copilot-cli', 'copilot-cli'],
  ['qwen-code', 'qwen-cli-mcp-client-*'],
  ['kilo', 'kilo'],
  ['cline', '@cline/core'],
];

/** @param name as in `clientInfo`; undefined where the harness has not said it. */
export function harnessLabel(name: string | undefined): string {
  if (name === undefined) return 'unknown';
  return labelledHarnesses.find(([, pattern]) => isHarnessNamed(pattern, name))?.[0] ?? 'other';
}
