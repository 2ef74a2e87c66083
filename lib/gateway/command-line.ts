// The command line of `leo mcp-server`, read by hand: a command-line library would cost every agent memory. Pure.

import { linkPath } from '../wire/link.js';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'misuse'; readonly message: string };

export interface ServeOptions {
  readonly agent: string | undefined;
  /** The harness that the process is to believe it runs under, whatever `clientInfo` says. */
  readonly harness: string | undefined;
  /** A daemon on another machine; undefined is this home's own. */
  readonly remote: { readonly url: URL; readonly tokenFile: string | undefined } | undefined;
  /** After how long the harness gives a call up, where its settings were changed; undefined is as measured. */
  readonly callTimeoutMs: number | undefined;
}

export const usage = `usage: leo mcp-server [options]

Serves the tools of connected apps to a coding agent's harness: MCP on stdin and stdout.

  --agent NAME            the agent's name (else LEO_AGENT, else the working directory's name)
  --harness NAME          the harness to act for, such as codex (else LEO_HARNESS, else what the harness says of itself)
  --call-timeout SECONDS  after how long the harness gives a call up, if its settings say so; a call that
                          takes longer is answered before, with "still waiting: <id>"
  --url URL               a daemon elsewhere, http(s)://host:port; needs a token
  --token-file FILE       the file that holds its token (else LEO_TOKEN)
  --help                  this text
`;

type Flag = 'agent' | 'harness' | 'url' | 'token-file' | 'call-timeout';
const flags: readonly Flag[] = ['agent', 'harness', 'url', 'token-file', 'call-timeout'];
const isFlag = (name: string): name is Flag => flags.some((flag) => flag === name);

/**
 * Reads the arguments after `mcp-server`.
 *
 * @param env `LEO_TOKEN` and `LEO_HARNESS` are read; a token is never taken from argv or a URL, where other users see it.
 */
export function parseCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const values = new Map<Flag, string>();
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    const equals = argument.indexOf('=');
    const name = argument.slice(2, equals < 0 ? undefined : equals);
    if (!argument.startsWith('--') || !isFlag(name)) {
      return misuse(`unknown argument \`${argument}\`: see \`leo mcp-server --help\``);
    }
    const value = equals < 0 ? argv[++at] : argument.slice(equals + 1);
    if (value === undefined || value === '')
      return misuse(`\`--${name}\` needs a value: \`--${name} VALUE\``);
    values.set(name, value);
  }

  const seconds = values.get('call-timeout');
  if (seconds !== undefined && !(Number(seconds) > 0 && Number(seconds) <= 2_000_000)) {
    return misuse(`\`--call-timeout ${seconds}\`: give a number of seconds above 0`);
  }
  const tokenFile = values.get('token-file');
  const url = values.get('url');
  if (url === undefined && tokenFile !== undefined) {
    return misuse('`--token-file` is for a daemon elsewhere: give its `--url` too');
  }
  const remote = url === undefined ? undefined : remoteUrl(url);
  if (typeof remote === 'string') return misuse(remote);
  if (remote !== undefined && tokenFile === undefined && !env.LEO_TOKEN) {
    return misuse('`--url` needs a token: give `--token-file FILE` or set LEO_TOKEN');
  }
  return {
    kind: 'serve',
    options: {
      agent: values.get('agent'),
      harness: values.get('harness') ?? (env.LEO_HARNESS || undefined),
      remote: remote === undefined ? undefined : { url: remote, tokenFile },
      callTimeoutMs: seconds === undefined ? undefined : Number(seconds) * 1000,
    },
  };
}

/** The URL of the link on a daemon elsewhere, or what is wrong with the text. */
function remoteUrl(text: string): URL | string {
  const mend = 'give `--url http://HOST:PORT`';
  if (!URL.canParse(text)) return `\`--url ${text}\` is not a URL: ${mend}`;
  const url = new URL(text);
  const scheme = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' }[url.protocol];
  if (scheme === undefined || url.host === '') return `\`--url\` wants http or https: ${mend}`;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return `\`--url\` takes neither credentials nor a query: ${mend}, and the token by \`--token-file\` or LEO_TOKEN`;
  }
  return new URL(`${url.pathname.replace(/\/+$/, '')}${linkPath}`, `${scheme}//${url.host}`);
}

function misuse(message: string): Command {
  return { kind: 'misuse', message };
}
