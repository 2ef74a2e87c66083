// Who this agent is (design 8): `--agent`, then LEO_AGENT, then the working directory's name. Pure.

import { basename } from 'node:path';

/** The name of an agent about whom nothing is known. */
export const namelessAgent = 'agent';

/** The name that the agent goes by, always of the form `agentNamePattern`. */
export function agentName(source: {
  readonly flag: string | undefined;
  readonly env: string | undefined;
  readonly cwd: string | undefined;
}): string {
  for (const text of [source.flag, source.env, source.cwd === undefined ? undefined : basename(source.cwd)]) {
    const name = text === undefined ? '' : sanitizeAgentName(text);
    if (name !== '') return name;
  }
  return namelessAgent;
}

/** What is left of a text when nothing remains that an agent's name may not hold; may be empty. */
export function sanitizeAgentName(text: string): string {
  const clean = text.replace(/[/\u0000-\u001f\u007f]+/g, ' ').trim();
  return clean.slice(0, 64).toWellFormed().trim();
}
