// How each harness is told of Leo: a command to type where the harness has one, else the file and what goes in.
// Pure: paths in, text out. Written from the documentation of each harness; none of them has been run with these
// lines yet.

/** A word as a POSIX shell takes it. */
function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The lines that wire every known harness.
 *
 * @param {{ node: string, leo: string, home: string | undefined }} paths absolute; `home` only where the harness
 *   must set LEO_HOME, since some pass no environment on.
 */
export function wiring({ node, leo, home }) {
  const server = [node, leo, 'mcp-server'].map(quote).join(' ');
  const env = (flag) => (home === undefined ? '' : ` ${flag} ${quote(`LEO_HOME=${home}`)}`);
  const variables = home === undefined ? {} : { LEO_HOME: home };
  const opencode = {
    mcp: { leo: { type: 'local', command: [node, leo, 'mcp-server'], environment: variables } },
  };
  const copilot = {
    mcpServers: {
      leo: { type: 'local', command: node, args: [leo, 'mcp-server'], env: variables, tools: ['*'] },
    },
  };
  return [
    'Claude Code',
    `  claude mcp add leo --scope user${env('--env')} -- ${server}`,
    'codex',
    `  codex mcp add leo${env('--env')} -- ${server}`,
    'Gemini CLI',
    `  gemini mcp add --scope user${env('--env')} leo ${server}`,
    'opencode: in ~/.config/opencode/opencode.json',
    `  ${JSON.stringify(opencode)}`,
    'Copilot CLI: in ~/.copilot/mcp-config.json',
    `  ${JSON.stringify(copilot)}`,
    '',
    'An agent is named after its folder; put --agent NAME behind mcp-server to name it.',
  ];
}
