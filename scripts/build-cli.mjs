// Builds the CLI and the daemon, with all that they need of other packages.
//
//   dist/cli.cjs       what bin/leo.js runs: it runs the next from the engine's cache
//   dist/cli/*.js      main.js, each command, the daemon, and what several of them share
//   dist/cli/*.js.v8   what the engine compiled of each; of use to this version of Node alone

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './prepare.mjs';

const folder = join(root, 'dist', 'cli');

/** Builds the CLI with the options that everything of the product is built with. */
export async function buildCli(shared) {
  const [{ outputFiles }] = await Promise.all([
    esbuild.build({
      ...shared,
      entryPoints: { main: 'lib/cli/main.ts' },
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      // What a package has as ES modules can be bundled in every case; its other form may find its parts by itself.
      mainFields: ['module', 'main'],
      chunkNames: '[name]-[hash]',
      write: false,
    }),
    esbuild.build({
      ...shared,
      entryPoints: ['lib/cli/boot.ts'],
      outfile: 'dist/cli.cjs',
      bundle: true,
      format: 'cjs',
      minify: true,
    }),
  ]);
  mkdirSync(folder, { recursive: true });
  // In files that share what they import esbuild writes ES modules only, of which Node 20 keeps no compiled form.
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await esbuild.transform(text, {
        format: 'cjs',
        target: shared.target,
        platform: 'node',
        // Names stay, for the stack of an error in the log of a daemon.
        minifyWhitespace: true,
        minifySyntax: true,
        legalComments: 'none',
        supported: { 'dynamic-import': false },
      });
      writeFileSync(join(folder, basename(path)), inAscii(code));
    }),
  );
  await makeCaches();
}

/** Of texts esbuild writes ASCII by itself, of regular expressions it does not. Of ASCII the engine keeps half. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Runs a daemon and commands that ask it, and keeps what the engine compiled for them. */
async function makeCaches() {
  const home = mkdtempSync(join(tmpdir(), 'leo-build-'));
  const keeper = join(home, 'keep.cjs');
  // A file that several of them load is kept as the last one had it.
  writeFileSync(
    keeper,
    `process.on('exit', () => {
      const { scripts } = require(${JSON.stringify(join(root, 'dist', 'cli.cjs'))});
      const { renameSync, writeFileSync } = require('node:fs');
      for (const [path, script] of scripts) {
        writeFileSync(path + '.v8.' + process.pid, script.createCachedData());
        renameSync(path + '.v8.' + process.pid, path + '.v8');
      }
    });`,
  );
  const env = { ...process.env, LEO_HOME: home, TMPDIR: home };
  const leo = ['--require', keeper, join(root, 'bin', 'leo.js')];
  const daemon = spawn(process.execPath, [...leo, 'daemon', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  const ended = new Promise((resolve) => daemon.on('close', resolve));
  await new Promise((resolve) => {
    daemon.stderr.setEncoding('utf8').on('data', (text) => {
      words += text;
      if (words.includes('ready: ')) resolve();
    });
    void ended.then(resolve);
  });
  for (const command of [['help'], ['status']])
    spawnSync(process.execPath, [...leo, ...command], { env, stdio: 'ignore' });
  daemon.kill();
  await ended;
  // Without caches everything works, only later: a build is not stopped by it.
  if (!existsSync(join(folder, 'main.js.v8')))
    process.stderr.write(`build: no code cache was made\n${words}`);
  rmSync(home, { recursive: true, force: true });
}
