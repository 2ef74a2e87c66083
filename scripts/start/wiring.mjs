// How a harness is told of Leo: by `leo harness setup`, which knows where each keeps its configuration. Pure: paths in,
// text out.

/**
 * The commands that wire each harness that Leo knows, and the one for any other.
 *
 * @param {{ leo: string, home: string | undefined, harnesses: readonly string[], quote: (word: string) => string }} leo
 *   where bin/leo.js is; `home` only where it is not the default; the names of the harnesses; what makes a word of a
 *   shell of a text.
 */
export function wiring({ leo, home, harnesses, quote }) {
  const command = `${home === undefined ? '' : `LEO_HOME=${quote(home)} `}node ${quote(leo)} harness setup`;
  return [
    ...harnesses.map((name) => `  ${command} ${name}`),
    '',
    `Any other: ${command} print`,
    'Each shows the change first with --dry-run. An agent is named after its folder; --agent NAME names it.',
  ];
}
