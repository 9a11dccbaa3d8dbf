/** What an admin does on the pages is done to the cluster, and asked about first where it must be. */
import assert from 'node:assert/strict';
import { accessible, open, until, visit } from '../browser.mjs';
import { call } from './live.mjs';

export async function story(browser, link, { victim, held, impossible, gang }) {
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

  await visit(page, `#/jobs/${impossible}`, /impossible/);
  await button('Hold').click();
  await button('Release').waitFor();
  assert.equal((await state(impossible)).state, 'waiting', 'it is held');
  await button('Release').click();
  await button('Hold').waitFor();
  assert.equal((await state(impossible)).state, 'queued', 'and let go');

  await visit(page, `#/jobs/${gang}`, /gang/);
  await button('Requeue').click();
  await button('Requeue it').click();
  await until(page, 'it has another attempt', (text) => /attempt\n2/.test(text));
  assert.equal((await state(gang)).attempt, 2);

  await visit(page, '#/nodes/node-2', /node-2/);
  await button('Drain').click();
  await button('Drain it').click();
  await until(page, 'the node is drained', (text) => text.includes('drained'));
  await button('Resume').click();
  await until(page, 'and resumed', (text) => !text.includes('drained\n'));

  await policy(page, button);
  await form(page, button);
  await bookings(page, button);
  await tokens(page, button);
  assert.deepEqual(
    errors.filter((error) => !/401|422/.test(error)),
    [],
  );
  await page.context().close();
}

async function policy(page, button) {
  await visit(page, '#/settings?as=json', 'Settings');
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

/** The same by the form: what is not in it stays as it is. */
async function form(page, button) {
  await visit(page, '#/settings', 'Settings');
  await button('Form').click();
  const before = JSON.parse((await call(page, 'GET', '/v1/policy')).body);
  const guarantee = page.getByLabel('Guaranteed GPUs of vision');
  await guarantee.fill('6');
  await guarantee.press('Enter');
  await page.getByLabel('What becomes of idle jobs of vision').selectOption('lend');
  const minutes = page.getByLabel('Idle minutes of vision');
  await minutes.fill('45');
  await minutes.press('Enter');
  await accessible(page, 'the form of the policy');
  await page.getByLabel('Name of a new queue').fill('vision/eyes');
  await button('Add queue').click();
  await until(page, 'the differences are shown', (text) => text.includes('queues[vision/eyes]'));
  await button('Check').click();
  await until(page, 'it is acceptable', (text) => text.includes('would accept'));
  await button('Apply').click();
  await button('Apply it').click();
  await until(page, 'it is applied', (text) => text.includes('Nothing yet.'));
  const after = JSON.parse((await call(page, 'GET', '/v1/policy')).body);
  const vision = after.queues.find((queue) => queue.name === 'vision');
  assert.equal(vision.guarantee.gpus, 6000);
  assert.deepEqual(vision.idle, { after: 2_700_000, below_milli: 50, then: 'lend' });
  assert.ok(after.queues.some((queue) => queue.name === 'vision/eyes'));
  assert.deepEqual({ ...after, queues: [] }, { ...before, queues: [] });
}

async function bookings(page, button) {
  await visit(page, '#/settings?part=bookings', 'Settings');
  await button('New booking').click();
  await page.getByLabel('Name, by which jobs ask to run in it').fill('repair');
  await button('Set aside').click();
  await page.getByText('choose at least one place').waitFor();
  await page.getByLabel('Search places').fill('node-2');
  await page.getByLabel('node-2', { exact: true }).check();
  await page.getByLabel('For these users').fill('somebody');
  await page.getByLabel('Until; taken back if empty').fill('2099-01-01T08:00');
  await accessible(page, 'a new booking');
  await button('Set aside').click();
  const row = page.getByRole('row', { name: /repair/ });
  await row.getByText('open').waitFor();
  const made = JSON.parse((await call(page, 'GET', '/v1/bookings')).body).items;
  assert.deepEqual(
    made.map(({ booking }) => [booking.name, booking.users, booking.places]),
    [['repair', ['somebody'], [{ node: 'node-2' }]]],
  );
  await visit(page, '#/plan', 'Plan');
  await until(page, 'it is on the plan', (text) => /Set aside[\s\S]*repair/.test(text));
  await visit(page, '#/settings?part=bookings', 'Settings');
  await row.getByRole('button', { name: 'Take back' }).click();
  await button('Take it back').click();
  await until(page, 'it is gone', (text) => text.includes('Nothing is set aside'));
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
