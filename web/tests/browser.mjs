/** What the tests of the dashboard share: a browser, a signed-in page, waiting and judging. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Long enough for a loaded machine; a test that passes never waits for it. */
const PATIENCE_MS = 60_000;

export async function browse(act) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    return await act(browser);
  } finally {
    await browser.close();
  }
}

/** A page that is signed in, and the list of what went wrong on it. */
export async function open(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  const elsewhere = [];
  const host = new URL(link).host;
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) elsewhere.push(request.url());
  });
  await page.goto(link);
  await page.locator('.who strong').waitFor();
  return { page, errors, elsewhere };
}

/** Goes to a page of the dashboard and waits for its heading. */
export async function visit(page, hash, heading) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Waits until a function of the page's text is true. */
export async function until(page, what, test) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const text = await page.locator('main').innerText();
    if (test(text)) return text;
    assert.ok(Date.now() < deadline, `${what}; the page shows:\n${text}`);
    await page.waitForTimeout(100);
  }
}

/** No rule of accessibility is broken by what is shown now. */
export async function accessible(page, name) {
  // The policy of the page forbids scripts from elsewhere; the tools of the browser may.
  const found = await page.evaluate(`${AXE}; axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  }).then(({ violations }) => violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.slice(0, 4).map((node) => node.html.slice(0, 160)),
  })))`);
  assert.deepEqual(found, [], `${name} is not accessible: ${JSON.stringify(found, null, 2)}`);
}
