// Several tabs of one browser.

import type { Test } from 'tap';
import { textOf } from '../../support/gateway.js';
import { http } from '../../support/http.js';
import { until } from '../../support/wait.js';
import { answerHere, ask, cardOf, type Stage, signedIn } from './stage.js';

/** Run in a page: sends what stands in the card. */
const submitFirst =
  "[...document.querySelectorAll('article')].find((card) => card.innerText.includes('Who is first?'))?.querySelector('form').requestSubmit()";

export async function tabs(t: Test, stage: Stage): Promise<void> {
  const { context, daemon, page, rocket, streams } = stage;

  await t.test('tabs share one stream, and each can answer', async (t) => {
    const other = await signedIn(t, daemon, context);
    await other.getByRole('switch', { name: 'Answer agents here', checked: true }).waitFor();
    t.equal(streams.count, 1);
    const { body } = await http(daemon.socket, '/api/v1/client-tools');
    t.match(body.data, { groups: { length: 1 } }, 'to the daemon it is one app');
    const answer = ask(rocket, 'Who is there?');
    for (const tab of [page, other]) await cardOf(tab, 'Who is there?').waitFor();
    await cardOf(other, 'Who is there?').getByRole('textbox').fill('The second tab');
    await cardOf(other, 'Who is there?').getByRole('button', { name: 'Answer' }).click();
    t.equal(textOf(await answer()), 'The second tab');
    await page.getByText('was answered in another tab').waitFor();

    const race = ask(rocket, 'Who is first?');
    const both = [page, other] as const;
    await cardOf(page, 'Who is first?').getByRole('textbox').fill('one');
    await cardOf(other, 'Who is first?').getByRole('textbox').fill('other');
    await Promise.all(both.map((tab) => tab.evaluate(submitFirst)));
    const first = textOf(await race());
    t.match(first, /^(one|other)$/);
    const late = first === 'one' ? other : page;
    await late
      .getByText(/answered already|answered in another tab/)
      .last()
      .waitFor();
    for (const tab of both) await cardOf(tab, 'Who is first?').waitFor({ state: 'detached' });
    const answers = rocket.messages.filter(({ id }) => id === 'ask Who is first?');
    t.equal(answers.length, 1, 'one answer reaches the agent');

    // The tab that holds the stream closes: the other one goes on with it, and the question is still there.
    const kept = ask(rocket, 'Still there?');
    await cardOf(other, 'Still there?').waitFor();
    await page.close();
    stage.page = other;
    await until('the other tab has the stream', () => streams.count === 1);
    await cardOf(other, 'Still there?').getByRole('textbox').fill('Yes');
    await cardOf(other, 'Still there?').getByRole('button', { name: 'Answer' }).click();
    t.equal(textOf(await kept()), 'Yes');
  });

  await t.test('one browser answers at a time, and another may take over', async (t) => {
    const elsewhere = await stage.browser.newContext();
    const second = await signedIn(t, daemon, elsewhere);
    await second.getByRole('switch', { name: 'Answer agents here' }).click();
    await second.getByText(/This browser cannot answer agents: .*ask_human/).waitFor();
    await stage.page.getByText('Nobody asks').waitFor();
    await stage.page.getByRole('switch', { name: 'Answer agents here' }).click();
    await answerHere(second);
    const answer = ask(rocket, 'Which browser?');
    await cardOf(second, 'Which browser?').getByRole('textbox').fill('The second');
    await cardOf(second, 'Which browser?').getByRole('button', { name: 'Answer' }).click();
    t.match(await answer(), { content: [{ text: 'The second' }] });
    t.equal(await cardOf(stage.page, 'Which browser?').count(), 0);
    // With a question open the switch would ask first.
    await second.getByText('Nobody asks').waitFor();
    await second.getByRole('switch', { name: 'Answer agents here' }).click();
    await second.getByText('Agents cannot ask you anything yet').waitFor();
    await elsewhere.close();
    await answerHere(stage.page);
  });
}
