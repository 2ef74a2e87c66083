// Questions of agents, and what they show, at one tab.

import type { Test } from 'tap';
import { textOf } from '../../support/gateway.js';
import { images } from '../../support/images.js';
import { until } from '../../support/wait.js';
import { ask, cardOf, picture, type Stage } from './stage.js';

/** Run in a page: a browser without a screen shows no notifications, and each of its tabs has the focus. */
const standInForNotifications = `
  globalThis.notified = [];
  globalThis.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) { globalThis.notified.push(title + ': ' + body); }
  };
`;

export async function questions(t: Test, stage: Stage): Promise<void> {
  const { page, rocket } = stage;

  await t.test('an agent is there as soon as it comes', async () => {
    const row = page.getByRole('listitem').filter({ hasText: 'rocket' }).first();
    // It is here before its harness has said what it is.
    await row.getByText('claude-code 1.0.0').waitFor();
    await row.getByText('native tools').waitFor();
    await page.getByRole('region', { name: 'Apps' }).getByText('ask_human').click();
    await page.getByText('what you want to know').waitFor();
  });

  await t.test('its question is answered by a choice', async (t) => {
    const answer = ask(rocket, 'Ship it to **main**?', ['yes', 'no']);
    await page.getByRole('button', { name: 'yes', exact: true }).waitFor();
    t.equal(await page.title(), '(1) Leo');
    await page.getByRole('button', { name: 'yes', exact: true }).click();
    t.equal(textOf(await answer()), 'yes');
    await until('the title is plain again', async () => (await page.title()) === 'Leo');
  });

  await t.test(
    'questions queue, outlive a reload with what was written, and are answered in words',
    async (t) => {
      const first = ask(rocket, 'What is the name?');
      const second = ask(rocket, 'And the colour?', ['red']);
      await cardOf(page, 'And the colour?').waitFor();
      await cardOf(page, 'What is the name?').getByRole('textbox').fill('Apollo');
      t.equal(await page.title(), '(2) Leo');
      await picture(page, 'questions');
      await page.reload();
      const card = cardOf(page, 'What is the name?');
      await card.waitFor();
      t.equal(await card.getByRole('textbox').inputValue(), 'Apollo');
      await until('the title counts them again', async () => (await page.title()) === '(2) Leo');
      await card.getByRole('textbox').press('Control+Enter');
      t.equal(textOf(await first()), 'Apollo');
      await cardOf(page, 'And the colour?').getByRole('button', { name: 'Decline' }).click();
      await page.getByRole('button', { name: 'Decline', exact: true }).click();
      const declined = await second();
      t.equal(declined.isError, true);
      t.match(textOf(declined), /^denied: /);
    },
  );

  await t.test('what it shows is shown as text and pictures, and nothing in it runs', async (t) => {
    const image = images.jpeg.toString('base64');
    const markdown =
      '## Done\n\n<script>alert(1)</script> and [a link](https://example.invalid/) ![](https://example.invalid/i.png)';
    const shown = await rocket.call('show_human', { title: 'A report', markdown, image });
    t.equal(textOf(shown), 'shown');
    const card = cardOf(page, 'A report');
    await card.getByRole('img').waitFor();
    t.match(await card.getByRole('img').getAttribute('src'), /^blob:/);
    await card.getByText('<script>alert(1)</script>').waitFor();
    const link = card.getByRole('link', { name: 'a link' });
    t.match(await link.getAttribute('rel'), /noopener/);
    const wrong = await rocket.call('show_human', { image: Buffer.from('<svg/>').toString('base64') });
    t.match(textOf(wrong), /^invalid_arguments: image/);
    await page.reload();
    await card.getByRole('img').waitFor();
    await card.getByRole('button', { name: /Dismiss/ }).click();
    await card.waitFor({ state: 'detached' });
  });

  await t.test('who looks elsewhere is notified, if they have allowed it', async (t) => {
    t.equal(await page.getByRole('button', { name: 'Notify me' }).count(), 1, 'it is asked for by a button');
    await page.evaluate(standInForNotifications);
    const rows = [
      ['Do you look here?', '', undefined],
      [
        'Do you work in another tab?',
        "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })",
        'delete document.visibilityState',
      ],
      ['Do you work in a terminal beside it?', 'document.hasFocus = () => false', 'delete document.hasFocus'],
    ] as const;
    for (const [question, goesAway, comesBack] of rows) {
      await page.evaluate(goesAway);
      const answer = ask(rocket, question);
      await cardOf(page, question).getByRole('textbox').fill('I do');
      if (comesBack !== undefined) await page.evaluate(comesBack);
      await cardOf(page, question).getByRole('button', { name: 'Answer' }).click();
      t.equal(textOf(await answer()), 'I do');
    }
    t.same(
      await page.evaluate('globalThis.notified'),
      rows.flatMap(([question, , back]) => (back === undefined ? [] : `rocket asks: ${question}`)),
    );
  });
}
