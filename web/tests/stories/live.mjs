/** What happens is seen without asking again; a lost stream is told, and comes back by itself. */
import assert from 'node:assert/strict';
import { open, until, visit } from '../browser.mjs';

export async function story(browser, link, { held }) {
  const { page, errors } = await open(browser, link);
  await seenOnLists(page);
  await seenOnItsPage(page, held);
  await seenOnTheMap(page);
  assert.deepEqual(errors, [], 'nothing on the console');
  await page.context().close();
  await lostAndFound(browser, link);
}

async function seenOnLists(page) {
  await visit(page, '#/jobs?show=all', 'Jobs');
  await page.locator('.pulse-state.live').waitFor();
  let lists = 0;
  page.on('request', (request) => {
    if (/\/v1\/jobs\?/.test(request.url())) lists += 1;
  });
  const id = await submit(page, 'comes-later', 'echo first line; sleep 4; echo last line');
  await until(page, 'the new job is listed', (text) => text.includes('comes-later'));
  await visit(page, `#/jobs/${id}`, /comes-later/);
  await until(page, 'its output is followed to the end', (text) => text.includes('last line'));
  await until(page, 'its end is seen', (text) => text.includes('completed'));
  assert.ok(lists < 20, `${lists} requests for the list of jobs are a storm`);
}

/** Others release and cancel a job while somebody looks at its page. */
async function seenOnItsPage(page, held) {
  await visit(page, `#/jobs/${held}`, /held/);
  const state = page.locator('main .head .tag');
  await state.getByText('waiting').waitFor();
  await call(page, 'POST', `/v1/jobs/${held}/release`);
  await state.getByText('running').waitFor();
  await until(page, 'its start is on the timeline', (text) => text.includes('is running'));
  await call(page, 'POST', `/v1/jobs/${held}/cancel`);
  await state.getByText('cancelled').waitFor();
  await until(page, 'who cancelled it is told', (text) => text.includes('cancelled by'));
  const buttons = await page.locator('main .head .actions').count();
  assert.equal(buttons, 0, 'nothing more can be done to it');
}

async function seenOnTheMap(page) {
  await visit(page, '#/cluster?as=table', 'Cluster');
  await until(page, 'the map is there', (text) => text.includes('node-1'));
  const id = await submit(page, 'on-the-map', 'sleep 600');
  await until(page, 'the job is on the map', (text) => text.includes(`${id} on-the-map`));
  await call(page, 'POST', `/v1/jobs/${id}/cancel`);
  await until(page, 'and goes from it', (text) => !text.includes(`${id} on-the-map`));
}

async function lostAndFound(browser, link) {
  const { page } = await open(browser, link);
  await page.locator('.pulse-state.live').waitFor();
  await page.route('**/stream*', (route) => route.abort());
  await visit(page, '#/events', 'Events');
  await until(page, 'the loss is told', (text) => text.includes('Data as of'));
  await page.unroute('**/stream*');
  await page.locator('.pulse-state.live').waitFor();
  await until(page, 'the banner goes', (text) => !text.includes('Data as of'));
  await page.context().close();
}

/** A request of the page itself, with its token. */
export function call(page, method, path, body) {
  return page.evaluate(
    async ([method, path, body]) => {
      const token = sessionStorage.getItem('muster.token');
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const response = await fetch(path, { method, headers, body: text });
      return { status: response.status, body: await response.text() };
    },
    [method, path, body],
  );
}

/** The same job as one that is there, with another name and command. */
async function submit(page, name, command) {
  const jobs = JSON.parse((await call(page, 'GET', '/v1/jobs?name=pattern')).body);
  const detail = JSON.parse((await call(page, 'GET', `/v1/jobs/${jobs.items[0].id}`)).body);
  const program = { ...detail.program, command: ['/bin/sh', '-c', command], script: null };
  const body = { spec: { ...detail.spec, name, hold: false }, program };
  const answer = await call(page, 'POST', '/v1/jobs', body);
  assert.equal(answer.status, 201, answer.body);
  return JSON.parse(answer.body).id;
}
