/** The map and tables by keyboard alone, and the map by two fingers. */
import assert from 'node:assert/strict';
import { open, until, visit } from '../browser.mjs';

export async function story(browser, link, { gang }) {
  const { page, errors } = await open(browser, link);
  await keysOnTheMap(page);
  await keysOnTables(page, gang);
  assert.deepEqual(errors, [], 'nothing on the console');
  await page.context().close();
  await fingers(browser, link);
}

async function keysOnTheMap(page) {
  await visit(page, '#/cluster', 'Cluster');
  const map = page.getByRole('application');
  const all = page.getByRole('button', { name: 'Show all' });
  const told = (words) =>
    page.locator('.map [aria-live]', { hasText: words }).waitFor({ state: 'attached' });
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await told(/^node-1\b/);
  for (let step = 0; step < 2; step += 1) {
    for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  }
  await told(/^node-2\b/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('.map [aria-live]').textContent === '');
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('[aria-label="Show all"]').disabled);
  await page.keyboard.press('+');
  await page.waitForFunction(() => !document.querySelector('[aria-label="Show all"]').disabled);
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('[aria-label="Show all"]').disabled);
  assert.ok(await all.isDisabled());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /node-1/ }).waitFor();
}

async function keysOnTables(page, gang) {
  await visit(page, '#/jobs', 'Jobs');
  await until(page, 'the jobs are there', (text) => text.includes('gang'));
  const head = page.getByRole('columnheader', { name: 'GPUs' });
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]').getByText('GPUs').waitFor();
  const first = page.locator('.jobs tbody tr').first();
  await first.getByText('impossible').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="ascending"]').getByText('GPUs').waitFor();
  await page.getByRole('link', { name: 'gang' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: new RegExp(`${gang} gang`) }).waitFor();
  await visit(page, '#/nodes', 'Nodes');
  const names = page.locator('table[aria-label="Nodes"] tbody tr td:first-child');
  await names.first().waitFor();
  assert.deepEqual(await names.allInnerTexts(), ['node-1', 'node-2']);
  await page.getByRole('columnheader', { name: 'node' }).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]').getByText('node').waitFor();
  assert.deepEqual(await names.allInnerTexts(), ['node-2', 'node-1']);
}

/** Two fingers zoom, about where they are; one that lifts does not light a gang. */
async function fingers(browser, link) {
  const viewport = { width: 390, height: 800 };
  const { page } = await open(browser, link, { viewport, hasTouch: true });
  await visit(page, '#/cluster', 'Cluster');
  const map = page.getByRole('application');
  await map.waitFor();
  const all = page.getByRole('button', { name: 'Show all' });
  assert.ok(await all.isDisabled(), 'all of it is shown at first');
  const box = await map.boundingBox();
  const at = (x, y) => ({ x: box.x + x, y: box.y + y });
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  await touch('touchStart', [at(100, 60)]);
  await touch('touchStart', [at(100, 60), at(140, 60)]);
  for (const spread of [10, 30, 60]) {
    await touch('touchMove', [at(100 - spread, 60), at(140 + spread, 60)]);
  }
  await touch('touchEnd', []);
  await page.waitForFunction(() => !document.querySelector('[aria-label="Show all"]').disabled);
  assert.ok(!page.url().includes('job='), 'no gang was lit by it');
  const scrolled = await page.evaluate(() => scrollY);
  assert.equal(scrolled, 0, 'the page stayed where it was');
  await all.click();
  assert.ok(await all.isDisabled());
  await page.context().close();
}
