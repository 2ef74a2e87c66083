// Builds dist/ (the product) and build/ (lib, web, test and bench, file for file, for the tests).
//
//   dist/gateway.cjs   the gateway, with its parts (build-gateway.mjs)
//   dist/cli.cjs       the CLI and, in dist/cli/, each command and the daemon (build-cli.mjs)
//   dist/app.js        the library for app authors
//   dist/probe-relay.cjs   the MCP server that `leo harness probe` gives to a harness
//   dist/types/        its declarations
//   dist/console/      the page that the daemon serves (build-console.mjs)
//   dist/man/leo.1     the man page (man-page.mjs)
//   build/node_modules/tap  tap in one file (build-tap.mjs)

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { buildCli } from './build-cli.mjs';
import { buildConsole } from './build-console.mjs';
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

/** Builds the product and the tests; not the declarations and the man page, which only a package needs. */
export async function build() {
  rmSync(join(root, 'build'), { recursive: true, force: true });
  await Promise.all([
    buildProduct(),
    buildTap(shared),
    esbuild.build({
      ...shared,
      entryPoints: ['lib', 'web', 'test', 'bench', 'examples'].flatMap((folder) => typescriptFiles(folder)),
      outdir: 'build',
      outbase: '.',
      format: 'esm',
      sourcemap: 'inline',
    }),
  ]);
}

/** Builds what a package holds, but the declarations and the man page. */
export async function buildProduct() {
  for (const stale of ['dist/cli', 'dist/cli.js', 'dist/chunks'])
    rmSync(join(root, stale), { recursive: true, force: true });
  await Promise.all([
    buildGateway(shared),
    buildConsole(version),
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
  ]);
}

/** The TypeScript files below a folder, as paths from the root; none where there is no such folder. */
function typescriptFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // The real harnesses of test/harness are two gigabytes.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : typescriptFiles(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/** Writes dist/types, the declarations of `leo/app`. */
export function declarations() {
  rmSync(join(root, 'dist', 'types'), { recursive: true, force: true });
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
