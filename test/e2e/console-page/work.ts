// What a person does to the calls and agents of the machine.

import { existsSync, readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { textOf } from '../../support/gateway.js';
import { http, post } from '../../support/http.js';
import { RawApp, text, tool } from '../../support/raw-app.js';
import { noTmux } from '../../support/tmux.js';
import { until } from '../../support/wait.js';
import type { Stage } from './stage.js';

const focusedId = 'document.activeElement.id';

export async function work(t: Test, stage: Stage): Promise<void> {
  const { context, daemon, page: tab, rocket } = stage;

  await t.test('a call is cancelled, after a question', async (t) => {
    const app = await RawApp.offering(t, { at: daemon.socket }, tool('take_photo', 0));
    await until('the agent has take_photo', async () => (await rocket.toolNames()).includes('take_photo'));
    rocket.send({ id: 'photo', method: 'tools/call', params: { name: 'take_photo', arguments: {} } });
    const { data } = await app.stream.next('client_tool.request');
    const calls = tab.getByRole('region', { name: 'Open calls' });
    const row = calls.getByRole('listitem').filter({ hasText: 'take_photo' });
    await row.getByText('waits for an app').waitFor();
    await app.claim(String(data.id));
    await row.getByText('taken by an app').waitFor();
    await row.getByRole('button', { name: /^Cancel/ }).click();
    await row.getByRole('button', { name: 'Keep' }).click();
    t.equal(
      rocket.messages.some(({ id }) => id === 'photo'),
      false,
    );
    await row.getByRole('button', { name: /^Cancel/ }).click();
    await row.getByRole('button', { name: 'Cancel the call' }).click();
    const { result } = await rocket.response('photo');
    t.match(textOf(result as never), /^cancelled: /);
    await row.waitFor({ state: 'detached' });
    await until('the focus stays there', async () => (await tab.evaluate(focusedId)) === 'calls');
    t.equal((await app.result(String(data.id), text('late'))).status, 404);
  });

  await t.test('a message that cannot be typed says why', async (t) => {
    await tab.getByRole('button', { name: 'Message rocket' }).click();
    await tab.getByLabel('Text for the prompt of rocket').fill('How is it going?');
    await tab.getByLabel('Text for the prompt of rocket').press('Control+Enter');
    const said = tab.getByRole('region', { name: 'Agents' }).locator('[role=status]');
    await until('the refusal is shown', async () => (await said.textContent()) !== '');
    t.match(await said.textContent(), /rocket|pane|tmux/);
    t.equal(await tab.getByLabel('Text for the prompt of rocket').inputValue(), 'How is it going?');
    t.equal(await tab.evaluate(focusedId), 'message-rocket', 'the focus is where it was');
    await tab.getByRole('button', { name: 'Message rocket' }).click();
  });

  await t.test('a message arrives in the prompt of its agent', { skip: noTmux }, async (t) => {
    const { status, body } = await post(daemon.socket, '/api/v1/agents', { template: 'echo' });
    t.equal(status, 200, JSON.stringify(body));
    await until('the agent has its prompt', () => existsSync(stage.typed));
    await tab.getByRole('button', { name: 'Message echo' }).click();
    await tab.getByLabel('Text for the prompt of echo').fill('Mend the build');
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByText('Submitted: echo has it.').waitFor();
    t.match(readFileSync(stage.typed, 'utf8'), /\[message from console\] Mend the build/);
    await tab.getByRole('region', { name: 'Events' }).getByText('message from console to echo').waitFor();
    await http(daemon.socket, '/api/v1/agents/echo', { method: 'DELETE' });
    await tab.getByText('echo has left').waitFor();
  });

  await t.test('the line that wires a harness is copied', async (t) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.getByRole('button', { name: 'Copy the line for codex' }).click();
    await tab.getByText('copied').waitFor();
    t.equal(await tab.evaluate('navigator.clipboard.readText()'), 'leo harness setup codex');
  });
}
