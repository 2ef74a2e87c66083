// What the server's instructions tell a model: what Leo is, and how to use what it is shown (design 8). Pure.
// Claude Code cuts them at 2,048 characters.

import type { ToolMode } from '../wire/bodies/agents.js';
import { ownToolNames } from './tools/own-tools.js';

const about =
  'Leo lends you the tools of apps that are connected to this machine: a camera, a screen, a person to ask. ' +
  'Apps come and go, and their tools with them. A call may wait for a person; a failure reads "<code>: <message>". ' +
  `If a call is answered with "still waiting: <id>", call ${ownToolNames.wait} {"id": "<id>"} to go on waiting for its ` +
  'result, as often as it takes; do not make the call again.';
const aboutPair =
  " This harness does not follow changes of a tool list, so the apps' tools are reached through two: " +
  `${ownToolNames.appTools} lists what is offered now, and ${ownToolNames.appCall} {"tool": NAME, "args": {...}} calls one.`;

export function instructionsFor(mode: ToolMode): string {
  return mode === 'fallback' ? about + aboutPair : about;
}
