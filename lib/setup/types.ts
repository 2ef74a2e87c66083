// What is set up, where, and what that changes: the words of this folder.

/** The harnesses that Leo knows how to set up. */
export const harnessNames = [
  'claude-code',
  'codex',
  'opencode',
  'gemini-cli',
  'copilot-cli',
  'qwen-code',
  'kilo',
  'cline',
] as const;
export type HarnessName = (typeof harnessNames)[number];

/** Whose agents get the entry: all of the user's, or those in one project. */
export type Scope = 'user' | 'project';

/** An MCP server as it is written into a harness's configuration. */
export interface ServerEntry {
  readonly name: string;
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to what the harness passes on. */
  readonly env: Readonly<Record<string, string>>;
  /** After how long the harness is to give a call up, in seconds; undefined leaves its default. */
  readonly callLimitS: number | undefined;
}

/** Where a harness looks: everything that decides which file it reads. */
export interface Surroundings {
  /** The user's home folder. */
  readonly home: string;
  /** The folder in which the harness is started. */
  readonly project: string;
  /** Read for the variables with which a harness's files are moved elsewhere. */
  readonly env: NodeJS.ProcessEnv;
}

/** A file's text before and after; null is no file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A harness's own command that makes the change, where it does that better than an edit. */
export interface OwnCommand {
  /** Run one after another; the first word of each is the harness's program. */
  readonly argv: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Plan {
  readonly harness: HarnessName;
  readonly scope: Scope;
  /** No file where nothing is to be done. */
  readonly changes: readonly FileChange[];
  /** What is run in place of writing; should it fail, the files are written after all. */
  readonly command: OwnCommand | undefined;
  /** The entry that the file holds afterwards; no values where it is gone. */
  readonly entry: { readonly name: string; readonly values: Readonly<Record<string, unknown>> | undefined };
}
