/** Teams are told who lends to whom, pair by pair, live, and to those who do not see it as well. */
import assert from 'node:assert/strict';
import { accessible, open, until, visit } from '../browser.mjs';
import { call } from './live.mjs';

/** What the books of the cluster come to: siblings first, then in proportion. */
const PAIRS = ['lab/vision lab/speech 2', 'ops shop 2', 'lab shop 1'];

export async function story(browser, link, { jobs }) {
  const { page, errors } = await open(browser, link);
  await visit(page, '#/teams', 'Teams');
  const table = page.getByRole('table', { name: 'Who lends to whom' });
  await table.waitFor();
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent).join(' ')),
    );
  assert.deepEqual(rows.sort(), [...PAIRS].sort());
  assert.equal(await page.locator('.lending path').count(), PAIRS.length, 'a ribbon for each');
  await lights(page);
  await accessible(page, 'who lends to whom');
  for (const job of jobs) await call(page, 'POST', `/v1/jobs/${job}/cancel`);
  await until(page, 'it is over', (text) => text.includes('Nobody lends anything now.'));
  await accessible(page, 'nobody lends');
  assert.deepEqual(errors, [], 'nothing on the console');
  await page.context().close();
}

/** Pointing at a queue, or going to it by keyboard, lights what is its own and says how much. */
async function lights(page) {
  const lit = page.locator('.lending path.lit');
  const lenders = page.getByRole('list', { name: 'lent by' });
  const borrowers = page.getByRole('list', { name: 'borrowed by' });
  await lenders.getByRole('button', { name: /^ops/ }).hover();
  await borrowers.getByText('2 of 3').waitFor();
  assert.equal(await lit.count(), 1);
  await page.getByRole('heading', { level: 1 }).hover();
  await lit.waitFor({ state: 'detached' });
  const shop = borrowers.getByRole('button', { name: /^shop/ });
  await shop.focus();
  assert.equal(await lit.count(), 2);
  assert.equal(await page.locator('.pairs tr.lit').count(), 2, 'the table shows the same');
  await page.keyboard.press('Enter');
  await lenders.getByRole('button', { name: /vision/ }).hover();
  assert.equal(await lit.count(), 2, 'what was chosen stays');
  await shop.click();
}
