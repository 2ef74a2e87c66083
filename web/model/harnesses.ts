// The harnesses that `leo harness setup` knows, by the name that it takes. A test holds them against lib/setup, which is
// not imported: its types are Node's.

export const harnessTitles: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'codex',
  opencode: 'opencode',
  'gemini-cli': 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  'qwen-code': 'Qwen Code',
  kilo: 'Kilo Code',
  cline: 'cline',
};
