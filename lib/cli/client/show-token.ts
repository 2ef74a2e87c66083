// A client's new token, shown this once.

import type { Places } from '../../config/paths.js';
import { say, sayJson } from '../output.js';
import { settleTaken, type Taken } from '../reload-daemon.js';
import { tokenPath } from '../scoped/home.js';

interface Shown {
  readonly name: string;
  readonly canMessage: readonly string[];
  readonly token: string;
  readonly places: Places;
  readonly json?: boolean;
}

/** @throws {CliError} after the token is shown, when the daemon has not taken it up. */
export function showToken({ name, canMessage, token, places, json }: Shown, taken: Taken): void {
  const path = tokenPath(places.clients, name);
  if (json) sayJson({ name, can_message: canMessage, token, token_file: path, ...taken });
  else {
    say(
      canMessage.length === 0
        ? `The client ${name} may message no agent yet: name some in leo.yaml (api_clients.${name}.can_message), then: leo reload`
        : `The client ${name} may message ${canMessage.join(', ')}.`,
      '',
      `token  ${token}`,
      '',
      `It is not shown again. ${path} keeps it.`,
    );
  }
  settleTaken(taken);
}
