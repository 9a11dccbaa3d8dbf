/** Who may only look is offered nothing else, and the server refuses it all the same. */
import assert from 'node:assert/strict';
import { open, visit } from '../browser.mjs';
import { call } from './live.mjs';

const DEEDS = [
  ...['Cancel', 'Hold', 'Release', 'Requeue', 'Drain', 'Resume', 'Apply', 'Check'],
  ...['New booking', 'Take back', 'Add queue', 'Remove vision', 'New token'],
];

export async function story(browser, link, { gang, held }) {
  const { page } = await open(browser, link);
  const pages = [
    [`#/jobs/${gang}`, /gang/],
    [`#/jobs/${held}`, /held/],
    ['#/nodes', 'Nodes'],
    ['#/nodes/node-1', /node-1/],
    ['#/settings', 'Settings'],
    ['#/settings?part=bookings', 'Settings'],
    ['#/settings?part=tokens', 'Settings'],
  ];
  for (const [hash, heading] of pages) {
    await visit(page, hash, heading);
    for (const name of DEEDS) {
      const buttons = await page.getByRole('button', { name, exact: true }).count();
      assert.equal(buttons, 0, `${hash} offers “${name}” to a viewer`);
    }
  }
  await visit(page, '#/settings', 'Settings');
  assert.equal(await page.getByRole('button', { name: 'Tokens' }).count(), 0);
  assert.ok(await page.getByLabel('Guaranteed GPUs of vision').isDisabled());
  await page.getByRole('button', { name: 'JSON' }).click();
  const editor = page.getByRole('textbox', { name: 'The policy as JSON' });
  assert.equal(await editor.getAttribute('readonly'), '');
  const refused = [
    ['POST', `/v1/jobs/${gang}/cancel`],
    ['POST', `/v1/jobs/${gang}/requeue`],
    ['POST', `/v1/jobs/${held}/hold`],
    ['POST', `/v1/jobs/${held}/release`],
    ['PUT', '/v1/bookings/mine', { name: 'mine', places: [{ node: 'node-1' }], start: 0 }],
    ['DELETE', '/v1/bookings/mine'],
    ['PUT', '/v1/queues/mine', { name: 'mine' }],
    ['POST', '/v1/nodes/node-1/drain'],
    ['GET', '/v1/tokens'],
    ['GET', '/v1/audit'],
  ];
  for (const [method, path, body] of refused) {
    assert.equal((await call(page, method, path, body)).status, 403, `${method} ${path}`);
  }
  await signedOut(browser, link);
  await page.context().close();
}

/** A wrong token leads back to where one signs in, and says why. */
async function signedOut(browser, link) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${link.split('#')[0]}#token=muster_wrong_token`);
  await page.getByText('the token is unknown, expired or revoked').waitFor();
  await page.getByLabel('Token', { exact: true }).fill(link.split('#token=')[1]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.who strong').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0, 'nothing stays behind');
  await page.context().close();
}
