// How the page looks, and whether everybody can use it: light and dark, wide and narrow.

import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { images } from '../../support/images.js';
import { until } from '../../support/wait.js';
import { findings } from './findings.js';
import { ask, cardOf, picture, type Stage } from './stage.js';

const focusedId = 'document.activeElement.id';

/** The words of what has the focus. */
async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.innerText'));
}

export async function looks(t: Test, stage: Stage): Promise<void> {
  const { page, rocket } = stage;

  await t.test('everybody can use it: light and dark, wide and narrow', async (t) => {
    const markdown =
      '# Two tests fail\n\n1. `a.test.ts`\n2. `b.test.ts`\n\n| file | took |\n| --- | --- |\n| a | 2 s |\n\n> see [the log](https://example.invalid/)\n\n```\nexpected 1\n```';
    await rocket.call('show_human', { title: 'Tests', markdown, image: images.png.toString('base64') });
    const answer = ask(rocket, 'Which **branch** do I ship?', [
      'main',
      'next',
      'a branch with a long name, and words on it',
    ]);
    await cardOf(page, 'Which branch').waitFor();
    await page.getByRole('button', { name: 'Message rocket' }).click();
    await page.getByRole('region', { name: 'Apps' }).getByText('ask_human').click();
    for (const [width, height] of [
      [1180, 800],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        // Nothing moves that a picture or axe would catch half way.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        t.same(await findings(page), [], `${colorScheme}, ${width} px`);
        await picture(page, `console-${colorScheme}-${width}`);
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, 'nothing stands out at 320 px');
    await page.setViewportSize({ width: 1180, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Message rocket' }).click();

    // By keys alone: from the top to the first choice.
    await page.getByRole('link', { name: 'Skip to the questions' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate('document.activeElement.innerText'), 'main');
    const next = ask(rocket, 'And then?', ['Rest']);
    await cardOf(page, 'And then?').waitFor();
    await page.keyboard.press('Enter');
    t.match(await answer(), { content: [{ text: 'main' }] });
    await cardOf(page, 'Which branch').waitFor({ state: 'detached' });
    await until('the focus is on the next question', async () => /^rocket asks/.test(await focused(page)));
    await page.keyboard.press('Tab');
    t.equal(await focused(page), 'Rest');
    await page.keyboard.press('Enter');
    t.match(await next(), { content: [{ text: 'Rest' }] });
    await until('the focus is on the heading', async () => (await focused(page)) === 'Questions');
    await page.getByRole('button', { name: 'Dismiss Tests' }).focus();
    await page.keyboard.press('Enter');
    await until('the focus is on what is left', async () => (await page.evaluate(focusedId)) === 'main');
  });
}
