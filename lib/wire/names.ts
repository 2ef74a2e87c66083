// The names that cross the wire (design 6): what they may look like, and when two are the same.

/** A tool's name: with the longest prefix, `mcp__leo-remote__`, no harness cuts it at 63 characters. */
export const toolNamePattern = '^[A-Za-z][A-Za-z0-9_-]{0,45}$';
/** A group's name. */
export const groupNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** An agent's name: 1 to 64 characters without control characters, `/` or surrounding white space. */
export const agentNamePattern =
  '^[^\\s/\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]{0,62}[^\\s/\\u0000-\\u001f\\u007f])?$';

/** The name of an agent that Leo starts: that of a tmux session, of a folder, and an argument that is no option. */
export const supervisedNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$';

/** Names that start so are Leo's own tools. */
export const ownToolPrefix = 'leo_';

/** The tools that the gateway itself offers (design 8). */
export const ownTools = [
  'leo_app_call',
  'leo_app_tools',
  'leo_app_wait',
  'leo_list_agents',
  'leo_send_message',
] as const;

/**
 * What a tool's name is compared by. Two names that differ only in case, or in `-` against `_`, are the same
 * name: codex turns `-` into `_`, and a harness on a case-folding system sees one of two.
 */
export function foldToolName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
