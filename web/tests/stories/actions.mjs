/** What an admin does on the pages is done to the cluster, and asked about first where it must be. */
import assert from 'node:assert/strict';
import { accessible, open, until, visit } from '../browser.mjs';
import { call } from './live.mjs';

export async function story(browser, link, { victim, held }) {
  const { page, errors } = await open(browser, link);
  const button = (name) => page.getByRole('button', { name, exact: true });
  const state = async (id) => JSON.parse((await call(page, 'GET', `/v1/jobs/${id}`)).body).job;

  await visit(page, `#/jobs/${victim}`, /victim/);
  await button('Cancel').click();
  await page.getByRole('dialog').waitFor();
  await accessible(page, 'the question before cancelling');
  await button('Leave it').click();
  assert.notEqual((await state(victim)).outcome, 'cancelled', 'who leaves it has changed nothing');
  await button('Cancel').click();
  await button('Cancel it').click();
  await until(page, 'the job is cancelled', (text) => text.includes('cancelled'));
  assert.equal((await state(victim)).outcome, 'cancelled');

  await visit(page, `#/jobs/${held}`, /held/);
  await button('Release').click();
  await until(page, 'the job is let go', (text) => /running|completed/.test(text));

  await visit(page, '#/nodes/node-2', /node-2/);
  await button('Drain').click();
  await button('Drain it').click();
  await until(page, 'the node is drained', (text) => text.includes('drained'));
  await button('Resume').click();
  await until(page, 'and resumed', (text) => !text.includes('drained\n'));

  await policy(page, button);
  await tokens(page, button);
  assert.deepEqual(
    errors.filter((error) => !/401|422/.test(error)),
    [],
  );
  await page.context().close();
}

async function policy(page, button) {
  await visit(page, '#/settings', 'Settings');
  const editor = page.getByRole('textbox', { name: 'The policy as JSON' });
  const text = await editor.inputValue();
  const changed = JSON.parse(text);
  changed.queues[0].weight = 7;
  await editor.fill(JSON.stringify(changed, null, 2));
  await until(page, 'the difference is shown', (text) => text.includes('queues[default].weight'));
  await editor.fill(text.replace('"queues": [', '"queues": [{"name": "no such parent/x"},'));
  await button('Check').click();
  await page.locator('.failure').first().waitFor();
  await editor.fill(JSON.stringify(changed, null, 2));
  await button('Check').click();
  await until(page, 'it is acceptable', (text) => text.includes('would accept'));
  await button('Apply').click();
  await button('Apply it').click();
  await until(page, 'it is applied', (text) => text.includes('Nothing yet.'));
  const policy = JSON.parse((await call(page, 'GET', '/v1/policy')).body);
  assert.equal(policy.queues.find((queue) => queue.name === 'default').weight, 7);
}

async function tokens(page, button) {
  await visit(page, '#/settings?part=tokens', 'Settings');
  await button('New token').click();
  await page.getByLabel('User', { exact: true }).fill('someone');
  await page.getByLabel('Role').selectOption('viewer');
  await button('Make it').click();
  const secret = await page.locator('.secret').innerText();
  assert.match(secret, /^muster_/);
  await button('Done').click();
  const row = page.getByRole('row', { name: /someone/ });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await button('Revoke it').click();
  await row.getByText('revoked').waitFor();
  const answer = await page.evaluate(
    async (secret) =>
      (await fetch('/v1/whoami', { headers: { authorization: `Bearer ${secret}` } })).status,
    secret,
  );
  assert.equal(answer, 401, 'a token that was taken back is worthless');
}
