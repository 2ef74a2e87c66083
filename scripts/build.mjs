// Builds dist/ (the product) and build/ (lib, test and bench, file for file, for the tests).
//
//   dist/gateway.cjs   the gateway, with its parts (build-gateway.mjs)
//   dist/cli.cjs       the CLI and, in dist/cli/, each command and the daemon (build-cli.mjs)
//   dist/app.js        the library for app authors
//   dist/probe-relay.cjs   the MCP server that `leo harness probe` gives to a harness
//   dist/types/        its declarations
//   build/node_modules/tap  tap in one file (build-tap.mjs)

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { buildCli } from './build-cli.mjs';
import { buildGateway } from './build-gateway.mjs';
import { buildTap } from './build-tap.mjs';
import { root } from './prepare.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const shared = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  define: { LEO_VERSION: JSON.stringify(version) },
};

/** Builds everything but the declarations, which only a published package and the type checker need. */
export async function build() {
  for (const stale of ['build', 'dist/cli', 'dist/cli.js', 'dist/chunks'])
    rmSync(join(root, stale), { recursive: true, force: true });
  await Promise.all([
    buildGateway(shared),
    buildTap(shared),
    buildCli(shared),
    esbuild.build({
      ...shared,
      entryPoints: { app: 'lib/app/index.ts' },
      outdir: 'dist',
      bundle: true,
      format: 'esm',
      packages: 'external',
    }),
    esbuild.build({
      ...shared,
      entryPoints: { 'probe-relay': 'lib/probe/server/relay.ts' },
      outdir: 'dist',
      outExtension: { '.js': '.cjs' },
      bundle: true,
      format: 'cjs',
    }),
    esbuild.build({
      ...shared,
      entryPoints: ['lib', 'test', 'bench', 'examples'].flatMap((folder) => typescriptFiles(folder)),
      outdir: 'build',
      outbase: '.',
      format: 'esm',
      sourcemap: 'inline',
    }),
  ]);
}

/** The TypeScript files below a folder, as paths from the root; none where there is no such folder. */
function typescriptFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // The real harnesses of test/harness are two gigabytes.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : typescriptFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** Writes dist/types, the declarations of `leo/app`. */
export function declarations() {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  declarations();
}
