/** The plan tells who is backfilled, what is held for whom, and by when each has started. */
import assert from 'node:assert/strict';
import { accessible, open, until, visit } from '../browser.mjs';

export async function story(browser, link, { large, small }) {
  const { page, errors } = await open(browser, link);
  await visit(page, '#/plan?ahead=1d', 'Plan');
  await until(page, 'the gang has nodes held', (text) => text.includes('2 nodes held'));
  const row = (id) => page.getByRole('row', { name: new RegExp(`^${id} `) });
  const marks = (id) => row(id).locator('.lane i');
  const kinds = (id) => marks(id).evaluateAll((all) => all.map((mark) => mark.className));
  assert.deepEqual(await kinds(large), ['held', 'start-unsure', 'would-run', 'bound']);
  assert.deepEqual(await kinds(small), ['start-backfill', 'would-run', 'bound']);
  const edges = async (id, kind) => row(id).locator(`.lane .${kind}`).boundingBox();
  const held = await edges(large, 'held');
  const start = await edges(large, 'start-unsure');
  const bound = await edges(large, 'bound');
  assert.ok(Math.abs(held.x + held.width - start.x) < 2, 'they are held until it starts');
  assert.ok(bound.x > start.x, 'the bound is after the start');
  assert.ok((await edges(small, 'start-backfill')).x < start.x, 'who passes starts before');
  await row(small)
    .getByRole('link', { name: `job ${large}` })
    .click();
  await page.getByRole('heading', { level: 1, name: /large/ }).waitFor();
  await visit(page, '#/plan?ahead=1d', 'Plan');
  await row(large).waitFor();
  await accessible(page, 'the plan with its marks');
  assert.deepEqual(errors, [], 'nothing on the console');
  await page.context().close();
}
