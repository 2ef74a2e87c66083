// The environment of an agent: the daemon's, without what a harness or a terminal left there. Pure.
//
// A daemon that a gateway has started was started by a harness: one that finds itself inside another of its kind
// refuses to start, or takes itself for part of that session.

/** What is taken out: marks of harnesses, of tmux, of Leo, and of npm, whose scripts start much of this. */
const marks: readonly (string | RegExp)[] = [
  'LEO_AGENT',
  'LEO_HARNESS',
  'LEO_PROMPT',
  'AI_AGENT',
  'AGENT',
  'CLAUDECODE',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'NoDefaultCurrentDirectoryInExePath',
  'COREPACK_ENABLE_AUTO_PIN',
  'OPENCODE',
  'OPENCODE_PID',
  'KILO',
  /^KILO_(?:PID|PROCESS_ROLE|RUN_ID)$/,
  /^GEMINI_CLI(?:_NO_RELAUNCH|_TRUST_WORKSPACE)?$/,
  'QWEN_CODE_NO_RELAUNCH',
  /^COPILOT_(?:AGENT_SESSION_ID|CLI_BINARY_VERSION|CLI_RESOLVED_DIST_DIR)$/,
  'CLINE_CONNECTOR_CLI_LAUNCH',
  /^npm_/,
  'INIT_CWD',
  'NODE_CHANNEL_FD',
  // Of the service that runs the daemon: none of these is true of an agent.
  'LEO_STARTED_BY',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'MANAGERPID',
  'NOTIFY_SOCKET',
  'SYSTEMD_EXEC_PID',
  'XPC_SERVICE_NAME',
];

/** What belongs to the terminal: tmux sets its own. */
const terminal: ReadonlySet<string> = new Set([
  'TERM',
  'TERMCAP',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'TMUX',
  'TMUX_PANE',
  'COLUMNS',
  'LINES',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
]);

/** What an agent's process gets of the daemon's environment, and its template's on top. */
export function agentEnvironment(
  daemon: NodeJS.ProcessEnv,
  template: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const kept = Object.entries(daemon).filter(
    ([name, value]) => value !== undefined && !isMark(name) && !terminal.has(name),
  );
  return { ...Object.fromEntries(kept), ...template };
}

/**
 * The names that tmux is to take over from its client for a new session: those of the agent, and those that an
 * older server may still have from the daemon that started it.
 */
export function namesToTakeOver(daemon: NodeJS.ProcessEnv, agent: NodeJS.ProcessEnv): readonly string[] {
  const names = new Set([...Object.keys(daemon).filter(isMark), ...Object.keys(agent)]);
  for (const mark of marks) if (typeof mark === 'string') names.add(mark);
  // A name of another form cannot be written into tmux's list.
  return [...names].filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !terminal.has(name)).sort();
}

function isMark(name: string): boolean {
  return marks.some((mark) => (typeof mark === 'string' ? mark === name : mark.test(name)));
}
