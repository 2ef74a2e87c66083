// `leo harness probe`: measures what the harnesses on this machine do with an MCP server. Each runs against a
// scripted model on loopback, in a home and a project of its own; nothing of the user's is read or changed.

import { readFileSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  HarnessCapsError,
  type HarnessOverlay,
  harnessCapsFormat,
  parseHarnessCaps,
  parseHarnessOverlay,
} from '../../config/harness-caps.js';
import { harnessPath, programOf } from '../../probe/find.js';
import { ordinaryPatience } from '../../probe/patience.js';
import { type HarnessReport, type ProbeDepth, probe } from '../../probe/probe.js';
import { withReports } from '../../probe/table/table-entry.js';
import { mustBeWritable, writeText } from '../../setup/disk/config-file.js';
import { type HarnessName, harnessNames, SetupError } from '../../setup/index.js';
import { CliError, misuse } from '../failure.js';
import { lineWidth, say, sayJson } from '../output.js';
import { table } from '../table.js';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Options {
  readonly json?: boolean;
  readonly write?: string;
  readonly prefix?: string;
  readonly quick?: boolean;
  readonly long?: boolean;
}

export function addProbeCommand(harness: Command): void {
  harness
    .command('probe')
    .description(
      'measure what the harnesses on this machine do with an MCP server (10 minutes for all eight)',
    )
    .argument('[names...]', `which ones: ${harnessNames.join(', ')}; all that are found by default`)
    .option('--quick', 'measure re-listing alone, in under 20 seconds a harness')
    .option('--long', 'wait for call limits of up to 700 seconds, too')
    .option('--prefix <folder>', 'look for harnesses there first, as npm installs them with --prefix')
    .option('--write <file>', 'put what was measured into a harnesscaps.json, such as the one in LEO_HOME')
    .option('--json', 'print the whole reports, with the messages that show each figure')
    .addHelpText(
      'after',
      '\nNo account and no internet is needed. Use it yourself: --write ~/.leo/harnesscaps.json',
    )
    .action(async (names: readonly string[], options: Options) => {
      if (options.quick && options.long) throw misuse('--quick and --long exclude each other');
      const root = installationRoot();
      if (options.write !== undefined) await tableToWrite(options.write);
      const { found, missing } = look(named(names), options.prefix);
      if (found.length === 0) {
        throw new CliError(
          `no harness was found on PATH${options.prefix === undefined ? '' : ` or below ${options.prefix}`}: ${missing.join(', ')}`,
        );
      }
      const stop = new AbortController();
      const interrupt = () => stop.abort();
      // Heard to the end: a second Ctrl-C must not keep the first from ending what runs.
      for (const name of endings) process.on(name, interrupt);
      const progress = progressLine();
      const depth: ProbeDepth = options.quick ? 'quick' : options.long ? 'long' : 'usual';
      const reports = await probe(
        found.map((subject) => ({
          ...subject,
          relay: join(root, 'dist', 'probe-relay.cjs'),
          patience: ordinaryPatience,
          signal: stop.signal,
        })),
        { depth, day: new Date().toISOString().slice(0, 10), onStep: progress.step },
        progress.done,
      );
      progress.end();
      for (const name of endings) process.off(name, interrupt);
      if (stop.signal.aborted) throw new CliError('stopped; every harness that was started has been ended');
      // First what was measured: it took minutes, and must not be lost with a file that cannot be written.
      if (options.json) sayJson({ reports, missing });
      else show(reports, missing);
      if (options.write !== undefined) {
        await writeInto(options.write, root, reports);
        if (!options.json) say(`Written: ${options.write}`);
      }
      if (reports.every((report) => Object.keys(report.sections).length === 0)) process.exitCode = 1;
    });
}

function named(names: readonly string[]): readonly HarnessName[] {
  return names.length === 0
    ? harnessNames
    : [...new Set(names)].map((name) => {
        const known = harnessNames.find((one) => one === name);
        if (known === undefined)
          throw misuse(`there is no harness ${name}; there are ${harnessNames.join(', ')}`);
        return known;
      });
}

function look(names: readonly HarnessName[], prefix: string | undefined) {
  const path = harnessPath(process.env.PATH ?? '', prefix === undefined ? undefined : resolve(prefix));
  const programs = names.map((harness) => ({ harness, program: programOf(harness, path), path }));
  return {
    found: programs.flatMap(({ program, ...rest }) => (program === undefined ? [] : [{ ...rest, program }])),
    missing: programs.filter(({ program }) => program === undefined).map(({ harness }) => harness),
  };
}

/**
 * What a file holds that is to be written: a table, an overlay, or nothing yet. A broken one is not written over, and
 * what cannot be written is said before anything is measured.
 */
async function tableToWrite(file: string): Promise<HarnessOverlay> {
  inWords(() => mustBeWritable(resolve(file)));
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CliError(`${file} cannot be read: ${error.message}`);
  });
  if (text === undefined) return { format: harnessCapsFormat, harnesses: [] };
  try {
    return parseHarnessOverlay(text, file);
  } catch (error) {
    if (error instanceof HarnessCapsError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}

/** Puts reports into a table as it is now: somebody may have changed it while they were measured. */
async function writeInto(file: string, root: string, reports: readonly HarnessReport[]): Promise<void> {
  const target = await tableToWrite(file);
  const builtInFile = join(root, 'harnesscaps.json');
  const builtIn = parseHarnessCaps(readFileSync(builtInFile, 'utf8'), builtInFile).harnesses;
  inWords(() =>
    writeText(resolve(file), `${JSON.stringify(withReports(target, builtIn, reports), null, 2)}\n`),
  );
}

function inWords(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (error instanceof SetupError) throw new CliError(error.message, 1, { cause: error });
    throw error;
  }
}

/** The folder of this Leo, which bin/leo.js stands in. */
function installationRoot(): string {
  return dirname(dirname(realpathSync(process.argv[1] ?? '')));
}

/** What goes on, on stderr: one line that changes on a terminal, a line for each harness elsewhere. */
function progressLine() {
  const terminal = process.stderr.isTTY;
  const started = Date.now();
  const clear = () => (terminal ? process.stderr.write('\r\u001b[K') : undefined);
  return {
    step: (harness: HarnessName, what: string) => {
      if (!terminal) return;
      clear();
      process.stderr.write(`${harness}: ${what} (${Math.round((Date.now() - started) / 1000)} s)`);
    },
    done: ({ name, version, failures }: HarnessReport) => {
      clear();
      const trouble = failures.length === 0 ? '' : `, ${failures.length} could not be measured`;
      process.stderr.write(`${name} ${version}: done${trouble}\n`);
    },
    end: clear,
  };
}

function show(reports: readonly HarnessReport[], missing: readonly HarnessName[]): void {
  const cell = (report: HarnessReport, section: string, name: string) =>
    report.sections[section]?.[name]?.value ?? '-';
  say(
    table(
      ['HARNESS', 'VERSION', 'SAME TURN', 'NEXT TURN', 'IDLE', 'GIVES UP', 'PROGRESS EXTENDS', 'IMAGE'],
      reports.map((report) => [
        report.name,
        report.version,
        report.sections.relisting?.['same turn']?.value ??
          cell(report, 'relisting', 'same turn, in a session'),
        cell(report, 'relisting', 'next turn'),
        cell(report, 'relisting', 'while idle'),
        cell(report, 'limits', 'default limit'),
        cell(report, 'limits', 'progress extends it'),
        cell(report, 'results', 'image block'),
      ]),
      lineWidth(),
    ),
  );
  for (const { name, failures } of reports) {
    for (const { what, why } of failures) say(`${name}: ${what} was not measured: ${why}`);
  }
  if (missing.length > 0) say(`Not found on PATH: ${missing.join(', ')}`);
  say('Every figure with its evidence: the same with --json');
}
