// A stand-in for launchctl, as far as `leo service` uses it: it notes what it was asked, and does run the program of the
// property list, with its environment and nothing else, and again after a failure.
//
//   node stand-in-launchctl.js FOLDER ARGUMENT…
//
// FOLDER holds `calls` (a line each), and while a service is loaded `plist`, `pid`, `exit` and `run`, which names what keeps
// it alive.

import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import plist from 'plist';

const [folder = '', ...args] = process.argv.slice(2);
const at = (name: string) => join(folder, name);
appendFileSync(at('calls'), `${args.join(' ')}\n`);
function answer([verb, ...rest]: readonly string[]): number {
  switch (verb) {
    case 'bootstrap':
      writeFileSync(at('plist'), rest[1] ?? '');
      for (const name of ['pid', 'exit']) rmSync(at(name), { force: true });
      return start();
    case 'kickstart':
      return loaded() ? start() : notFound();
    case 'kill':
      return loaded() ? end() : notFound();
    case 'bootout':
      if (!loaded()) return notFound();
      rmSync(at('plist'));
      rmSync(at('run'), { force: true });
      return end();
    case 'print':
      if (!loaded()) return notFound();
      process.stdout.write(
        [
          `${rest[0]} = {`,
          `\tstate = ${state()}`,
          ...(pid() === undefined ? [] : [`\tpid = ${pid()}`]),
          `\tlast exit code = ${existsSync(at('exit')) ? readFileSync(at('exit'), 'utf8').trim() : '(never exited)'}`,
          '\tspawn type = interactive (4)',
          '\tendpoints = {',
          '\t\tstate = active',
          '\t}',
          '}',
          '',
        ].join('\n'),
      );
      return 0;
    default:
      return 0;
  }
}

/** As launchd calls it. */
function state(): string {
  if (pid() !== undefined) return 'running';
  const failed = existsSync(at('exit')) && readFileSync(at('exit'), 'utf8').trim() !== '0';
  return failed ? 'spawn scheduled' : 'not running';
}

function loaded(): boolean {
  return existsSync(at('plist'));
}

function notFound(): number {
  process.stderr.write('Could not find service "leo.daemon" in domain for user gui: 501\n');
  return 113;
}

function pid(): number | undefined {
  return existsSync(at('pid')) ? Number(readFileSync(at('pid'), 'utf8')) : undefined;
}

function end(): number {
  const running = pid();
  if (running !== undefined) process.kill(running, 'SIGTERM');
  return 0;
}

/** What launchd does: a program that has not succeeded is started again after a while, one that has is not. */
const keepAlive = `
mine() { [ "$(cat "$FOLDER/run" 2>/dev/null)" = $$ ]; }
echo $$ > "$FOLDER/run"
while mine; do
  "$@" & echo $! > "$FOLDER/new" && mv "$FOLDER/new" "$FOLDER/pid"
  wait $!; code=$?
  mine || exit
  rm -f "$FOLDER/pid"; echo $code > "$FOLDER/exit"
  [ $code -eq 0 ] && exit
  sleep 2
done`;

function start(): number {
  const agent = plist.parse(readFileSync(readFileSync(at('plist'), 'utf8'), 'utf8')) as {
    readonly ProgramArguments: readonly string[];
    readonly EnvironmentVariables: Readonly<Record<string, string>>;
    readonly StandardErrorPath: string;
    readonly WorkingDirectory: string;
  };
  const log = openSync(agent.StandardErrorPath, 'a');
  const env = { HOME: process.env.HOME, ...agent.EnvironmentVariables };
  const child = spawn(
    '/bin/sh',
    ['-c', keepAlive.replaceAll('$FOLDER', folder), 'sh', ...agent.ProgramArguments],
    {
      cwd: agent.WorkingDirectory,
      detached: true,
      env,
      stdio: ['ignore', log, log],
    },
  );
  child.unref();
  closeSync(log);
  return 0;
}

process.exitCode = answer(args);
