// Builds the gateway, which starts beside every agent and so must start soon and stay small.
//
//   dist/gateway.cjs        what bin/leo.js runs: it runs the next from the engine's cache
//   dist/gateway-main.cjs   what a `leo mcp-server` always needs, one minified file
//   dist/gateway-*.v8       what the engine compiled of it; of use to this version of Node alone
//   dist/gateway-*.cjs      what it needs only sometimes: its mere text would cost every agent memory

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './prepare.mjs';

const dist = join(root, 'dist');
const parts = [
  'lib/config/config.ts',
  'lib/config/harness-caps.ts',
  'lib/gateway/calls/validation.ts',
  'lib/gateway/link/start-daemon.ts',
];
const partName = (path) => `gateway-${basename(path).replace(/\.[jt]s$/, '')}`;
const partsApart = {
  name: 'parts apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${partName(path)}.cjs`, external: true } : undefined,
    );
  },
};

/** harnesscaps.json as the gateway needs it: the figures are for people, and most of the file. */
const figuresLeftOut = {
  name: 'figures left out',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]harnesscaps\.json$/ }, ({ path }) => {
      const { harnesses } = JSON.parse(readFileSync(path, 'utf8'));
      const served = harnesses.map(({ figures: _, ...serving }) => serving);
      return { contents: JSON.stringify({ harnesses: served }), loader: 'json' };
    });
  },
};

/** Builds the gateway with the options that everything of the product is built with. */
export async function buildGateway(shared) {
  const options = { ...shared, bundle: true, format: 'cjs', minify: true, legalComments: 'none' };
  await esbuild.build({
    ...options,
    entryPoints: {
      'gateway-main': 'lib/gateway/main.ts',
      ...Object.fromEntries(parts.map((path) => [partName(path), path])),
    },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    plugins: [partsApart, figuresLeftOut],
    alias: { '@modelcontextprotocol/server/_shims': './lib/gateway/sdk-shims.ts' },
  });
  const text = readFileSync(join(dist, 'gateway-main.cjs'));
  const hash = createHash('sha256').update(text).update(process.version).digest('hex').slice(0, 16);
  const cache = `gateway-${hash}.v8`;
  await esbuild.build({
    ...options,
    entryPoints: ['lib/gateway/boot.ts'],
    outfile: 'dist/gateway.cjs',
    define: { ...options.define, GATEWAY_CACHE: JSON.stringify(cache) },
  });
  for (const name of readdirSync(dist)) {
    if (name.endsWith('.v8') && name !== cache) rmSync(join(dist, name), { force: true });
  }
  if (!existsSync(join(dist, cache))) makeCache(join(dist, cache));
}

/** Has a gateway answer its first requests, and keeps what the engine compiled for them. */
function makeCache(path) {
  const home = mkdtempSync(join(tmpdir(), 'leo-build-'));
  const made = join(home, 'cache');
  const program = `
    const { script } = require(${JSON.stringify(join(dist, 'gateway.cjs'))});
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(made)}, script.createCachedData()));`;
  const clientInfo = { name: 'claude-code', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const requests = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], {
    input: requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''),
    env: { ...process.env, LEO_HOME: home, LEO_NO_AUTOSTART: '1' },
    encoding: 'utf8',
  });
  // Without a cache everything works, only later: a build is not stopped by it.
  if (status !== 0 || !existsSync(made)) process.stderr.write(`build: no code cache was made\n${stderr}`);
  else {
    copyFileSync(made, `${path}.new`);
    renameSync(`${path}.new`, path);
  }
  rmSync(home, { recursive: true, force: true });
}
