// What axe finds wrong with a page, as far as it keeps somebody from using it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Its serious and critical findings, in the colours that the page has now. */
export async function findings(page: Page): Promise<readonly string[]> {
  // Evaluated, and not loaded: the page's own policy allows no script of elsewhere.
  await page.evaluate(axe);
  const violations = (await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}

/** Those in the light and in the dark; the page is light afterwards. */
export async function findingsInBoth(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    // Nothing moves that axe would catch half way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    all.push(...(await findings(page)).map((each) => `${colorScheme}: ${each}`));
  }
  return all;
}
