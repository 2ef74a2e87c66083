// Signing in and out of the console.

import type { Test } from 'tap';
import { textOf } from '../../support/gateway.js';
import { runLeo } from '../../support/run-leo.js';
import { findingsInBoth } from './findings.js';
import { answerHere, ask, cardOf, picture, type Stage, signInLink } from './stage.js';

export async function signingIn(t: Test, stage: Omit<Stage, 'rocket'>): Promise<void> {
  const { browser, daemon, page, streams } = stage;

  await t.test('who is not signed in is told how to be', async (t) => {
    await page.goto(daemon.http);
    await page.getByText('leo web', { exact: true }).waitFor();
    t.equal(streams.count, 0);
    await picture(page, 'signed-out');
    t.same(await findingsInBoth(page), []);
  });

  await t.test('a link signs in once, and does not stay in the address', async (t) => {
    const link = await signInLink(t, daemon);
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('No agent is here').waitFor();
    t.equal(new URL(page.url()).hash, '');
    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(link);
    await late.getByRole('alert').waitFor();
    t.match(await late.getByRole('alert').textContent(), /link|code|sign/i);
    await late.getByText('leo web', { exact: true }).waitFor();
    await other.close();
  });
}

/** The last part: nobody is signed in afterwards. */
export async function signingOut(t: Test, stage: Stage): Promise<void> {
  const { daemon, faults, page: tab, rocket } = stage;

  await t.test('signing out elsewhere shows here, with no error', async (t) => {
    faults.daemonIsAway = true; // A browser writes a refusal to its console, whatever the page makes of it.
    const { code, stderr } = await runLeo(t, daemon.env, 'web', '--sign-out');
    t.equal(code, 0, stderr);
    await tab.getByText('leo web', { exact: true }).waitFor();
    await tab.goto(await signInLink(t, daemon));
    await answerHere(tab);
    const answer = ask(rocket, 'Do you stay?');
    await cardOf(tab, 'Do you stay?').waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByText('1 question will go unanswered').waitFor();
    await tab.getByRole('button', { name: 'Keep' }).click();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab
      .getByRole('group', { name: /unanswered/ })
      .getByRole('button', { name: 'Sign out' })
      .click();
    t.match(textOf(await answer()), /^no_client: /);
    await tab.getByText('leo web', { exact: true }).waitFor();
    t.equal(await tab.evaluate("localStorage.getItem('leo.csrf')"), null);
  });
}
