/** Every page shows what is true, can be used without seeing it, and asks nobody else. */
import assert from 'node:assert/strict';
import { accessible, open, until, visit } from '../browser.mjs';

const SCRIPT_BYTES_MAX = 100_000;

export async function story(browser, link, { gang, held, failed, impossible }) {
  const pages = [
    [
      '#/cluster',
      'Cluster',
      ['Largest gang that could start now', 'anywhere', 'in one node', 'gang'],
    ],
    ['#/cluster?as=table', 'Cluster', ['node-1', 'node-2', `${gang} gang`]],
    ['#/jobs', 'Jobs', ['gang', 'running', 'held', 'waiting', 'impossible']],
    ['#/jobs?show=ended', 'Jobs', ['broken', 'failed', 'exit code 3']],
    [
      `#/jobs/${gang}`,
      /gang/,
      ['Timeline', 'launches on', 'Where it is', 'GPU by GPU', 'Output', 'rank 0 of 2'],
    ],
    [`#/jobs/${impossible}`, /impossible/, ['Why', 'even if empty']],
    [`#/jobs/${failed}`, /broken/, ['exit code 3', 'Attempts', 'no such file']],
    [`#/jobs/${held}`, /held/, ['waiting', 'Why']],
    ['#/plan', 'Plan', ['Next', 'Running', `${gang} gang`, 'now']],
    ['#/teams', 'Teams', ['default', 'vision', 'Who lends to whom']],
    ['#/waste', 'Waste', ['From paid to useful', 'allocated', 'Worst offenders', 'rule for idle']],
    ['#/nodes', 'Nodes', ['node-1', 'up', 'H100', '8 of 8']],
    ['#/nodes/node-1', /node-1/, ['H100', 'memory used', 'hold something here', 'joined']],
    ['#/events', 'Events', ['job-running', 'submitted by']],
    ['#/settings', 'Settings', ['What would change', 'Nothing yet.', 'vision', 'guaranteed']],
    ['#/settings?as=json', 'Settings', ['Levels, classes, queues and policy']],
    ['#/settings?part=bookings', 'Settings', ['Nothing is set aside']],
    ['#/settings?part=tokens', 'Settings', ['admin', 'good']],
    ['#/settings?part=audit', 'Settings', ['policy', 'done']],
  ];
  for (const colorScheme of ['light', 'dark']) {
    const { page, errors, elsewhere } = await open(browser, link, { colorScheme });
    assert.ok(!page.url().includes('token'), 'the token is gone from the address');
    await light(page);
    await themed(page, colorScheme);
    for (const [hash, heading, words] of pages) {
      await visit(page, hash, heading);
      for (const word of words) {
        await until(page, `${hash} says “${word}”`, (text) => text.includes(word));
      }
      await accessible(page, `${hash}, ${colorScheme}`);
    }
    assert.deepEqual(errors, [], 'nothing on the console');
    assert.deepEqual(elsewhere, [], 'nothing asked of others');
    await page.context().close();
  }
  await narrow(browser, link, pages);
}

/** What the first page needs is little, whatever there is behind it. */
async function light(page) {
  await page.getByRole('application').waitFor();
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => new URL(entry.name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + entry.decodedBodySize, 0),
  );
  assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES_MAX, `the first page has ${bytes} bytes of script`);
}

/** The theme is the system's and follows it, until one is chosen, which stays. */
async function themed(page, system) {
  const named = (theme) =>
    page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, theme);
  const other = system === 'dark' ? 'light' : 'dark';
  await named(system);
  await page.emulateMedia({ colorScheme: other });
  await named(other);
  await page.emulateMedia({ colorScheme: system });
  await named(system);
  await page.locator('.who button').first().click();
  await page.reload();
  await page.locator('.who strong').waitFor();
  await named(other);
  await page.locator('.who button').first().click();
  await named(system);
}

/** On a phone nothing is wider than the screen but what scrolls by itself. */
async function narrow(browser, link, pages) {
  const { page } = await open(browser, link, { viewport: { width: 360, height: 740 } });
  for (const [hash, heading] of pages) {
    await visit(page, hash, heading);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${hash} is ${width} pixels wide on a screen of 360`);
  }
  await page.context().close();
}
