// docs/app-authors.md is true: its programs and files are started, its shell lines run one after another in one
// shell, and what they print is what the page says. `…` in a printed text stands for anything.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { inputSchemaFault } from '../../lib/broker/check/input-schema.js';
import { callFailureCodes, errorTable } from '../../lib/wire/errors.js';
import { routes } from '../../lib/wire/routes.js';
import { leo, type RunningDaemon, root, startDaemon } from '../support/daemon.js';
import { http } from '../support/http.js';
import { until } from '../support/wait.js';

const page = readFileSync(join(root, 'docs', 'app-authors.md'), 'utf8');

interface Block {
  readonly language: string;
  /** From a comment `<!-- file: NAME -->` above the block. */
  readonly file: string | undefined;
  readonly text: string;
  readonly line: number;
}

function blocksOf(markdown: string): readonly Block[] {
  const fence = /(?:<!-- file: (\S+) -->\n)?```(\w*)\n([\s\S]*?)\n```/g;
  return [...markdown.matchAll(fence)].map((found) => {
    const [, file, language = '', text = ''] = found;
    return { language, file, text, line: markdown.slice(0, found.index).split('\n').length };
  });
}

/** A folder in the repository, from which `leo/app` is found as a reader's own package would find it. */
function workplace(t: Test): string {
  const folder = mkdtempSync(join(root, 'build', 'docs-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'leo'), `#!/bin/sh\nexec "${process.execPath}" "${leo}" "$@"\n`);
  chmodSync(join(folder, 'leo'), 0o755);
  return folder;
}

/** One bash over the whole page, given block after block. */
class Shell {
  readonly #bash: ChildProcess;
  #out = '';
  #block = 0;

  constructor(t: Test, folder: string, env: Readonly<Record<string, string | undefined>>) {
    this.#bash = spawn('bash', ['--norc', '-s'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const output of [this.#bash.stdout, this.#bash.stderr])
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#out += text;
      });
    t.teardown(() => {
      // The whole group: the page leaves curl running in between.
      if (this.#bash.pid !== undefined) process.kill(-this.#bash.pid, 'SIGKILL');
    });
  }

  async run(text: string): Promise<string> {
    const mark = `-- end of block ${++this.#block} --`;
    const from = this.#out.length;
    this.#bash.stdin?.write(`${text}\necho '${mark}'\n`);
    const end = await until(`the shell has run: ${text}`, () => {
      const at = this.#out.indexOf(mark, from);
      return at < 0 ? undefined : at;
    });
    return this.#out.slice(from, end);
  }
}

async function tools(daemon: RunningDaemon): Promise<string> {
  return JSON.stringify((await http(daemon.socket, '/api/v1/client-tools')).body.data);
}

/** Starts a program or file of the page, and waits for its tools; gives what stops it. */
async function startApp(
  t: Test,
  daemon: RunningDaemon,
  folder: string,
  block: Block,
): Promise<() => Promise<void>> {
  const path = join(folder, block.file ?? '');
  writeFileSync(path, block.text);
  const args = block.language === 'yaml' ? [leo, 'app', 'run', path] : [path];
  const child = spawn(process.execPath, args, { env: daemon.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  t.teardown(() => child.kill('SIGKILL'));
  const names = [...block.text.matchAll(/name: '?(\w+)'?,?$/gm)].map(([, name = '']) => name);
  t.not(names.length, 0, `${block.file} offers tools`);
  await until(`${block.file} offers its tools`, async () => {
    if (child.exitCode !== null) throw new Error(`${block.file} ended:\n${stderr}`);
    const registered = await tools(daemon);
    return names.every((name) => registered.includes(`"${name}"`));
  });
  return async () => {
    child.kill('SIGINT');
    t.equal(await ended, 0, `${block.file} stops when it is told to`);
  };
}

function expectation(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`);
}

t.test('what the page shows is what happens', async (t) => {
  const daemon = await startDaemon(t);
  const folder = workplace(t);
  const token = readFileSync(join(daemon.home, 'state', 'api.token'), 'utf8').trim();
  const shell = new Shell(t, folder, {
    ...daemon.env,
    LEO_URL: daemon.http,
    LEO_TOKEN: token,
    PATH: `${folder}:${process.env.PATH}`,
  });
  const stops: (() => Promise<void>)[] = [];
  let printed = '';
  for (const block of blocksOf(page)) {
    if (block.language === 'sh') printed = await shell.run(block.text);
    else if (block.language === 'text')
      t.match(printed.trim(), expectation(block.text), `line ${block.line}`);
    else stops.push(await startApp(t, daemon, folder, block));
  }
  for (const stop of stops) await stop();
  t.match(JSON.parse(await tools(daemon)), { groups: [] });
});

t.test('the page names every code that an app may meet', async (t) => {
  const apps = Object.values(routes).filter(({ roles }) => (roles as readonly string[]).includes('device'));
  const codes = new Set([
    ...apps.flatMap((route) => route.errors),
    'unauthorized',
    'forbidden',
    'too_large',
  ] as const);
  for (const code of codes) {
    t.match(
      page,
      new RegExp(`\\| \`${code}\` +\\| ${errorTable[code].status} +\\|`),
      `${code} and its status`,
    );
  }
  for (const code of callFailureCodes) t.match(page, new RegExp(`\\| \`${code}\` +\\|`), code);
});

t.test('the page lists exactly the keywords that schemas may have', async (t) => {
  const list = /So only these are taken:\n\n([\s\S]*?)\.\n\n/.exec(page)?.[1] ?? '';
  const keywords = [...list.matchAll(/`([^`]+)`/g)].map(([, keyword = '']) => keyword);
  // Not one of them is refused as unknown, whatever else is wrong with 7 as its value.
  const unknown = (keyword: string) =>
    /unknown|not (taken|allowed)/.test(inputSchemaFault({ type: 'object', [keyword]: 7 }) ?? '');
  t.same(
    keywords.filter((keyword) => keyword !== 'type' && unknown(keyword)),
    [],
  );
  for (const keyword of ['$ref', '$defs', 'not', 'if', 'patternProperties']) {
    t.notOk(keywords.includes(keyword));
    t.ok(unknown(keyword), keyword);
  }
  t.equal(keywords.length, 33);
});
