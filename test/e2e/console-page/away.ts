// A daemon that goes and comes back, and one that has much to say.

import type { Test } from 'tap';
import { startDaemon } from '../../support/daemon.js';
import { textOf } from '../../support/gateway.js';
import { LinkAgent } from '../../support/link-agent.js';
import { RawApp, tool } from '../../support/raw-app.js';
import { until } from '../../support/wait.js';
import { findingsInBoth } from './findings.js';
import { ask, cardOf, picture, type Stage } from './stage.js';

export async function away(t: Test, stage: Stage): Promise<void> {
  const { faults, page, rocket, streams } = stage;

  await t.test('a restart of the daemon loses no question', async (t) => {
    const answer = ask(rocket, 'Are you still there?');
    await cardOf(page, 'Are you still there?').waitFor();
    await cardOf(page, 'Are you still there?').getByRole('textbox').fill('Yes');
    faults.daemonIsAway = true;
    await stage.daemon.end();
    await page.getByText('Leo is not answering; trying again').waitFor();
    await cardOf(page, 'Are you still there?').waitFor();
    await page.getByRole('region', { name: 'Apps' }).getByText('This browser').waitFor();
    await cardOf(page, 'Are you still there?').getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Leo is not answering now').waitFor();
    await page.getByRole('button', { name: /^Decline/ }).click();
    t.same(await findingsInBoth(page), [], 'with a banner, a notice and a question of its own');
    await picture(page, 'away');
    await page.getByRole('button', { name: 'Keep' }).click();
    const { port } = new URL(stage.daemon.http);
    stage.daemon = await startDaemon(stage.t, {
      home: stage.daemon.home,
      args: ['--port', port],
      env: stage.env,
    });
    await page.getByText('Leo is not answering; trying again').waitFor({ state: 'detached' });
    t.equal(streams.count, 1);
    await cardOf(page, 'Are you still there?').getByRole('button', { name: 'Answer' }).click();
    t.equal(textOf(await answer()), 'Yes');
    faults.daemonIsAway = false;
  });

  await t.test('thousands of events do not stop it, and it shows what is left of them', async (t) => {
    const app = await RawApp.offering(t, { at: stage.daemon.socket }, tool('noise'));
    const agent = await LinkAgent.start(t, { socket: stage.daemon.socket, agent: 'noisy' });
    const calls = page.getByRole('region', { name: 'Open calls' });
    const log = page.getByRole('list', { name: 'Events, the latest first' });
    const burst = async (from: number) => {
      for (let n = from; n < from + 500; n++) {
        agent.park(`r_noise${n}aaaa`, 'noise');
        if (n % 500 > 0) agent.notify('call/cancel', { id: `r_noise${n}aaaa` });
      }
      await until('the calls have ended', () =>
        app.stream.events.some(({ data }) => data.id === `r_noise${from + 499}aaaa`),
      );
    };
    for (let round = 0; round < 4; round++) {
      await burst(round * 500);
      // It answers a click while it is told of more.
      await page.getByRole('button', { name: round % 2 === 0 ? 'Hold' : 'Go on' }).click();
    }
    await until(
      'the calls that were left are shown',
      async () => (await calls.getByText('noisy').count()) === 4,
    );
    t.ok((await log.getByRole('listitem').count()) <= 500);
    agent.webSocket.close();
    await until(
      'they have gone with their agent',
      async () => (await calls.getByText('noisy').count()) === 0,
    );
  });
}
