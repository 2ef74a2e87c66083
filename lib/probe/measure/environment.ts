// Section 8: what of a harness's environment reaches the MCP server, and where the server runs.

import type { Figures } from '../figure.js';
import { ProbeError } from '../probe-error.js';
import type { Run } from '../run.js';

/** Names of the kinds that a harness may hold back: plain ones, and such that look like secrets. */
const canaries = [
  'LEO_AGENT',
  'LEO_TOKEN',
  'LEO_KEY',
  'LEO_SECRET',
  'LEO_PASSWORD',
  'LEO_API_KEY',
  'LEO_AUTH',
  'LEO_CERT',
  'LEO_PLAIN',
  'GITHUB_TOKEN',
  'PIP_CERT',
  'AWS_PROFILE',
  'EDITOR',
];

/** Two ways of writing a variable into an entry, as harnesses know them. */
const dollarForm = `$\{LEO_AGENT}`;
const braceForm = '{env:LEO_AGENT}';

export const probeEnvironment = {
  harness: Object.fromEntries(canaries.map((name) => [name, name === 'LEO_AGENT' ? 'rocket' : 'canary'])),
  entry: { LEO_CFG: 'c', LEO_DOLLAR: dollarForm, LEO_BRACE: braceForm },
};

export function environmentOf(run: Run): Figures {
  const server = run.server.connections[0];
  if (server === undefined) throw new ProbeError('the harness started no server');
  const given = run.environment;
  const missing = Object.keys(given).filter((name) => server.env[name] === undefined);
  const added = Object.keys(server.env).filter(
    (name) => given[name] === undefined && !(name in probeEnvironment.entry),
  );
  const evidence = `LEO_AGENT=${server.env.LEO_AGENT ?? '(not set)'} LEO_CFG=${server.env.LEO_CFG ?? '(not set)'} LEO_DOLLAR=${server.env.LEO_DOLLAR ?? '(not set)'} LEO_BRACE=${server.env.LEO_BRACE ?? '(not set)'}, cwd ${server.cwd}`;
  const substituted = [
    ...(server.env.LEO_DOLLAR === 'rocket' ? [dollarForm] : []),
    ...(server.env.LEO_BRACE === 'rocket' ? [braceForm] : []),
  ];
  return {
    'working directory': {
      value: server.cwd === run.project ? 'where the harness was started' : server.cwd,
      evidence,
    },
    'LEO_AGENT of the harness arrives': {
      value: server.env.LEO_AGENT === 'rocket' ? 'yes' : 'no',
      evidence,
    },
    'not passed on': { value: missing.sort().join(' ') || 'nothing', evidence },
    'added by the harness': { value: added.sort().join(' ') || 'nothing', evidence },
    'substitution in the entry': { value: substituted.join(' ') || 'none', evidence },
    "the entry's own environment": {
      value: server.env.LEO_CFG === 'c' ? 'added' : 'not set',
      evidence,
    },
  };
}
