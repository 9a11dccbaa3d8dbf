/** The server goes and comes back: the page says so, and goes on by itself. */
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { open, until, visit } from '../browser.mjs';

const lines = createInterface({ input: process.stdin });
const answers = lines[Symbol.asyncIterator]();

/** Asks whoever started this story to do something, and waits until it is done. */
async function ask(what) {
  console.log(what);
  assert.equal((await answers.next()).value, 'done');
}

export async function story(browser, link, { gang }) {
  const { page } = await open(browser, link);
  // Its script is to be there when the server is not.
  await visit(page, '#/settings', 'Settings');
  await visit(page, `#/jobs/${gang}`, /gang/);
  await page.locator('.pulse-state.live').waitFor();
  await ask('stop the server');
  await until(page, 'the loss is told', (text) => text.includes('The server does not answer.'));
  await page.locator('.pulse-state.lost').waitFor();
  const shown = await page.locator('main').innerText();
  assert.match(shown, /gang/, 'what was known stays');
  await visit(page, '#/settings?part=tokens', 'Settings');
  await until(page, 'it says why it is empty', (text) => text.includes('cannot be reached'));
  await ask('start the server');
  await page.locator('.pulse-state.live').waitFor();
  await until(page, 'the banner goes', (text) => !text.includes('The server does not answer.'));
  await until(page, 'and failures with it', (text) => !text.includes('cannot be reached'));
  await until(page, 'what could not be asked is there', (text) => text.includes('admin'));
  await visit(page, '#/jobs?show=all', 'Jobs');
  await until(page, 'all is there again', (text) => text.includes('gang'));
  await page.context().close();
  lines.close();
}
