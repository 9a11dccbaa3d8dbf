/**
 * How long the map takes to draw at several sizes, in a real browser on the real page, with a made-up
 * picture in place of the server's: `node tests/paint.mjs LINK GPUS... [--json]`.
 */
import assert from 'node:assert/strict';
import { createServer } from 'vite';
import { browse, open, visit } from './browser.mjs';

const [link, ...rest] = process.argv.slice(2);
const isJson = rest.includes('--json');
const sizes = rest.filter((word) => word !== '--json').map(Number);
/** Frames that are drawn at each zoom while the map is dragged to and fro. */
const FRAMES = 120;
/** How often `+` is pressed: all of it, racks, single nodes. */
const ZOOMS = { all: 0, racks: 4, nodes: 10 };
const GPUS_OF_NODE = 8;
const NODES_OF_RACK = 16;
const RACKS_OF_BLOCK = 8;

const vite = await createServer({
  root: new URL('..', import.meta.url).pathname,
  server: { middlewareMode: true },
  appType: 'custom',
  logLevel: 'error',
});
const { fixtureMap } = await vite.ssrLoadModule('/src/map/fixture.ts');
await vite.close();

const measured = [];
await browse(async (browser) => {
  for (const gpus of sizes) measured.push(await measure(browser, gpus));
});
if (isJson) console.log(JSON.stringify({ command: 'paint', frames: FRAMES, sizes: measured }));
else console.table(measured);

async function measure(browser, gpus) {
  const { page } = await open(browser, link);
  await visit(page, '#/jobs', 'Jobs');
  await page.evaluate(timeFrames);
  const map = fixtureMap(shapeOf(gpus));
  const body = `event: whole\ndata: ${JSON.stringify(map)}\n\n`;
  let answers = 0;
  // The first answer ends as a lost connection does; who asks again is left waiting.
  await page.route('**/v1/map/stream', (route) => {
    answers += 1;
    if (answers === 1) route.fulfill({ contentType: 'text/event-stream', body });
  });
  const begun = await page.evaluate(() => performance.now());
  await visit(page, '#/', 'Cluster');
  const canvas = page.getByRole('application');
  await canvas.waitFor();
  await settled(page);
  const first_ms = (await page.evaluate(() => globalThis.frames_timed.at(-1).at)) - begun;
  const row = {
    gpus: map.cluster.gpus,
    picture_kb: round(body.length / 1000),
    first_ms: round(first_ms),
  };
  await canvas.focus();
  let pressed = 0;
  for (const [name, times] of Object.entries(ZOOMS)) {
    for (; pressed < times; pressed += 1) await page.keyboard.press('+');
    const { median, p99 } = await drag(page, canvas);
    row[`${name}_ms`] = median;
    row[`${name}_p99_ms`] = p99;
  }
  await page.context().close();
  return row;
}

/** Blocks and racks as they are in clusters, for at least so many GPUs. */
function shapeOf(gpus) {
  const nodes = Math.ceil(gpus / GPUS_OF_NODE);
  const racks = Math.min(RACKS_OF_BLOCK, Math.ceil(nodes / NODES_OF_RACK));
  const blocks = Math.ceil(nodes / (NODES_OF_RACK * racks));
  return { blocks, racks, nodes: Math.ceil(nodes / (blocks * racks)), gpus: GPUS_OF_NODE };
}

/** In the page: how long each drawing of the map takes. It begins by clearing the canvas. */
function timeFrames() {
  const ask = globalThis.requestAnimationFrame.bind(globalThis);
  const { clearRect } = CanvasRenderingContext2D.prototype;
  let isDrawn = false;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    isDrawn = true;
    return clearRect.apply(this, box);
  };
  globalThis.frames_timed = [];
  globalThis.requestAnimationFrame = (act) =>
    ask((frame) => {
      isDrawn = false;
      const begun = performance.now();
      act(frame);
      const at = performance.now();
      if (isDrawn) globalThis.frames_timed.push({ ms: at - begun, at });
    });
}

/** Waits until nothing more is drawn. */
async function settled(page) {
  for (let before = -1, now = 0; now === 0 || now !== before; ) {
    before = now;
    await page.waitForTimeout(500);
    now = await page.evaluate(() => globalThis.frames_timed.length);
  }
}

/** Drags the map to and fro, a frame for each step. */
async function drag(page, canvas) {
  await settled(page);
  const box = await canvas.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(() => globalThis.frames_timed.splice(0));
  for (let step = 0; step < FRAMES; step += 1) {
    await page.mouse.move(x + 60 * Math.sin(step / 5), y + 40 * Math.cos(step / 7));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  }
  await page.mouse.up();
  const frames = await page.evaluate(() => globalThis.frames_timed.map(({ ms }) => ms));
  assert.ok(frames.length > FRAMES / 2, `only ${frames.length} of ${FRAMES} were drawn`);
  frames.sort((a, b) => a - b);
  const at = (part) => round(frames[Math.min(frames.length - 1, Math.floor(frames.length * part))]);
  return { median: at(0.5), p99: at(0.99) };
}

function round(value) {
  return Math.round(value * 10) / 10;
}
