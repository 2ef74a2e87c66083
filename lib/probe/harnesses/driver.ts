// How each harness is run without a person: what it must find in its home, how it takes a prompt, how several.

import type { ModelApi } from '../model/conversation.js';

/** Where a run takes place: folders of its own, and the scripted model's port. */
export interface RunPlace {
  readonly home: string;
  readonly project: string;
  readonly modelPort: number;
  /** The name that the MCP server has in the harness's configuration. */
  readonly serverName: string;
}

/** How a harness takes several prompts in one session, and in which words. */
export type SessionKind = 'stream-json' | 'acp' | 'app-server';

export interface Driver {
  readonly api: ModelApi;
  /** Programs to look for on PATH, the usual one first. */
  readonly programs: readonly string[];
  /** Files that it needs besides the entry of the MCP server, as paths below the home. */
  readonly files: (place: RunPlace) => Readonly<Record<string, string>>;
  readonly env: (place: RunPlace) => Readonly<Record<string, string>>;
  /** Arguments for one prompt and an end. */
  readonly once: (prompt: string, place: RunPlace) => readonly string[];
  /** The same in the session before, in a new process; undefined where it takes one up by its id alone. */
  readonly resumed: ((prompt: string, place: RunPlace) => readonly string[]) | undefined;
  readonly session: { readonly kind: SessionKind; readonly args: (place: RunPlace) => readonly string[] };
}
