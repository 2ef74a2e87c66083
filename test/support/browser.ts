// A real headless Chromium, where one is installed: `chromium`, `chromium-browser` or `google-chrome` on the PATH, or
// what CHROMIUM names.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The browser's program, if there is one. */
export function findBrowser(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHROMIUM !== undefined && env.CHROMIUM !== '') return env.CHROMIUM;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  if (process.platform === 'darwin') {
    candidates.push('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    candidates.push('/Applications/Chromium.app/Contents/MacOS/Chromium');
  }
  return candidates.find(isProgram);
}

/** Why tests with a browser are skipped, or false. */
export const noBrowser: string | false =
  findBrowser(process.env) === undefined
    ? 'there is no browser: install chromium, or name one in CHROMIUM'
    : false;

/** Starts the browser, with a profile of its own that goes with it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser(process.env);
  if (executablePath === undefined) throw new Error(String(noBrowser));
  // Chromium's own walls need a user that is not root; the pages here are ours.
  const asRoot = process.getuid?.() === 0;
  return await chromium.launch({ executablePath, args: asRoot ? ['--no-sandbox'] : [] });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
