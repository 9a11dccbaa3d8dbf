/**
 * Pictures of the dashboard for the documentation: `node tests/screenshots.mjs LINK FOLDER SECONDS`.
 * Gives a cluster with the demo workload some more to do, waits, and looks at its pages.
 */
import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { browse, open, visit } from './browser.mjs';
import { call } from './stories/live.mjs';

const [, , link, folder, seconds] = process.argv;
/** A page of the documentation is to load at once. */
const BYTES_MAX = 150_000;
const WIDE = { width: 1240, height: 720 };
const NARROW = { width: 390, height: 844 };

/**
 * Gangs of several sizes, so that the map is full and some wait: name, queue, tasks, GPUs each and
 * the minutes they probably take.
 */
const MORE = [
  ['pretrain-large', 'language', 4, 8, 26],
  ['pretrain-small', 'language', 2, 8, 14],
  ['segment', 'vision', 3, 8, 22],
  ['distil', 'language', 6, 4, 9],
  ['detect', 'vision', 2, 8, 17],
  ['embed', 'batch', 8, 2, 6],
];
/** One that goes first and does not fit, and some that may be backfilled before it. */
const NEXT = [
  ['pretrain-next', 'language', 6, 8, 25, 'express'],
  ['probe', 'vision', 1, 4, 5],
  ['simulate', 'batch', 4, 8, 20],
];

await browse(async (browser) => {
  const { page } = await open(browser, link, { viewport: WIDE, colorScheme: 'light' });
  await page.waitForTimeout(5000);
  for (const row of MORE) await submit(page, ...row);
  await page.waitForTimeout(5000);
  for (const row of NEXT) await submit(page, ...row);
  await page.waitForTimeout(Number(seconds) * 1000);
  const running = JSON.parse((await call(page, 'GET', '/v1/jobs?state=running')).body).items;
  const waiting = JSON.parse((await call(page, 'GET', '/v1/jobs?name=pretrain-next')).body);
  const job = await mostUneven(page, running);
  const next = waiting.items.at(-1)?.id ?? job;
  await page.context().close();
  mkdirSync(folder, { recursive: true });
  const shots = [
    ['cluster', '#/cluster?by=team', 'Cluster'],
    ['jobs', '#/jobs', 'Jobs'],
    ['job', `#/jobs/${job}`, /Job/],
    ['why', `#/jobs/${next}`, /Job/],
    ['plan', '#/plan?ahead=1h', 'Plan'],
    ['teams', '#/teams', 'Teams'],
    ['waste', '#/waste', 'Waste'],
  ];
  for (const theme of ['light', 'dark']) await take(browser, theme, WIDE, shots, `-${theme}`);
  await take(browser, 'dark', NARROW, shots.slice(0, 3), '-narrow');
});

/** The job of several tasks whose GPUs differ most in how busy they were. */
async function mostUneven(page, jobs) {
  let [found, most] = [1, -1];
  for (const { id } of jobs.filter((job) => job.tasks > 1)) {
    const { gpus } = JSON.parse((await call(page, 'GET', `/v1/jobs/${id}/activity`)).body);
    const busy = gpus.flatMap((gpu) => gpu.busy ?? []);
    const apart = Math.max(...busy) - Math.min(...busy);
    if (busy.length > 1 && apart > most) [found, most] = [id, apart];
  }
  return found;
}

async function take(browser, colorScheme, viewport, shots, suffix) {
  const { page } = await open(browser, link, { viewport, colorScheme });
  for (const [name, hash, heading] of shots) {
    await visit(page, hash, heading);
    // Figures and charts come a moment after their page.
    await page.waitForTimeout(2500);
    const path = join(folder, `${name}${suffix}.png`);
    await page.screenshot({ path });
    light(path);
    if (name !== 'job' || viewport !== WIDE) continue;
    // It is further down than a picture of its page reaches.
    const gpus = join(folder, `gpus${suffix}.png`);
    await page.getByRole('region', { name: 'GPU by GPU' }).screenshot({ path: gpus });
    light(gpus);
  }
  await page.context().close();
}

function light(path) {
  const { size } = statSync(path);
  assert.ok(size <= BYTES_MAX, `${path} has ${size} bytes, at most ${BYTES_MAX}`);
}

/** A job like the demo's own, of another size. */
async function submit(page, name, queue, tasks, gpus, minutes, kind = 'standard') {
  const jobs = JSON.parse((await call(page, 'GET', '/v1/jobs?name=train-resnet')).body);
  const { spec, program } = JSON.parse(
    (await call(page, 'GET', `/v1/jobs/${jobs.items.at(-1).id}`)).body,
  );
  const [group] = spec.groups;
  const task = { ...group.task, gpus };
  const script = 'for s in $(seq 3600); do echo step $s loss $((9000 / (s + 9))); sleep 1; done';
  const body = {
    spec: {
      ...spec,
      name,
      queue,
      team: queue,
      class: kind,
      groups: [{ ...group, tasks: { min: tasks, max: tasks }, task }],
      timing: {
        ...spec.timing,
        limit: 120_000 * minutes,
        estimate: { median: 60_000 * minutes, p90: 90_000 * minutes },
      },
      checkpoint: { rungs: [] },
    },
    program: { ...program, command: ['/bin/sh', '-c', script], save: null },
  };
  const answer = await call(page, 'POST', '/v1/jobs', body);
  assert.equal(answer.status, 201, answer.body);
}
