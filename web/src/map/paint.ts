/** Draws the map. Only what is on the screen is drawn, and only as finely as can be seen. */
import type { MapNode } from '../api/types';
import { busyStep, emptyColour, heldColour, type Mode, type Palette, rankTeams } from './colour';
import { CELL, type DomainBox, type Layout, type NodeBox, PITCH } from './layout';
import type { MapState } from './state';
import type { Size, View } from './view';

/** From so many pixels for a GPU on, each is drawn apart. */
const FINE = 5;
/** And from so many on there is room for shapes, for numbers, and for edges. */
const SHAPED = 9;
const NUMBERED = 19;

export type Scene = {
  state: MapState;
  layout: Layout;
  view: View;
  screen: Size;
  mode: Mode;
  palette: Palette;
  /** The job whose gang is lit; the rest steps back. */
  lit: number | null;
  /** The node that the keyboard is at. */
  selected: number | null;
};

/** Rectangles by colour: setting a colour costs more than filling a rectangle with it. */
class Batches {
  private readonly byColour = new Map<string, number[]>();

  add(colour: string, x: number, y: number, width: number, height: number) {
    let list = this.byColour.get(colour);
    if (!list) {
      list = [];
      this.byColour.set(colour, list);
    }
    list.push(x, y, width, height);
  }

  fill(context: CanvasRenderingContext2D) {
    for (const [colour, list] of this.byColour) {
      context.fillStyle = colour;
      for (let at = 0; at < list.length; at += 4) {
        context.fillRect(list[at]!, list[at + 1]!, list[at + 2]!, list[at + 3]!);
      }
    }
  }
}

export function paint(context: CanvasRenderingContext2D, scene: Scene) {
  const { layout, view, screen, palette } = scene;
  context.clearRect(0, 0, screen.width, screen.height);
  for (const domain of layout.domains) paintDomain(context, scene, domain);
  const pitch = PITCH * view.scale;
  const rest = new Batches();
  const lit = new Batches();
  const teams = rankTeams(scene.state.jobs.values());
  const colour = (node: MapNode, index: number) => {
    const held = node.held[index]!;
    return heldColour(held, scene.state.jobs.get(held.job), scene.mode, palette, teams);
  };
  const visible: [MapNode, NodeBox][] = [];
  layout.nodes.forEach((box, index) => {
    const node = scene.state.nodes[index];
    if (node && isVisible(box, view, screen)) visible.push([node, box]);
  });
  for (const [node, box] of visible) {
    if (pitch >= FINE) fineNode(scene, node, box, colour, rest, lit);
    else coarseNode(scene, node, box, colour, rest, lit);
  }
  context.globalAlpha = scene.lit === null ? 1 : 0.22;
  rest.fill(context);
  context.globalAlpha = 1;
  lit.fill(context);
  for (const [node, box] of visible) {
    marks(context, scene, node, box);
    if (pitch >= NUMBERED) numbers(context, scene, node, box);
    if (layout.isNamed && pitch >= 13) name(context, scene, node, box);
  }
  for (const domain of layout.domains) {
    if (domain.depth === 0) farName(context, scene, domain);
  }
  ring(context, scene);
}

type Colour = (node: MapNode, index: number) => string;

/** Every GPU apart, pieces of it side by side. */
function fineNode(
  scene: Scene,
  node: MapNode,
  box: NodeBox,
  colour: Colour,
  rest: Batches,
  lit: Batches,
) {
  const { view, palette } = scene;
  const pitch = PITCH * view.scale;
  const size = Math.max(1, Math.round(CELL * view.scale));
  const edge = pitch >= SHAPED ? 1 : 0;
  for (let gpu = 0; gpu < Math.max(1, node.gpus); gpu += 1) {
    const [x, y] = corner(view, box, gpu);
    const fill = node.gpus === 0 ? palette.line : emptyColour(node, gpu, palette);
    if (edge > 0) rest.add(palette.freeEdge, x, y, size, size);
    rest.add(fill, x + edge, y + edge, size - 2 * edge, size - 2 * edge);
  }
  const filled = new Map<number, number>();
  node.held.forEach((held, index) => {
    const [x, y] = corner(view, box, held.gpu);
    const from = filled.get(held.gpu) ?? 0;
    filled.set(held.gpu, from + held.milli);
    const left = Math.round((from / 1000) * size);
    const width = Math.max(1, Math.round((held.milli / 1000) * size));
    const into = held.job === scene.lit ? lit : rest;
    if (scene.mode === 'activity' && held.busy != null && pitch >= SHAPED) {
      // How much of the cell is filled says the same as its colour.
      const height = Math.max(1, Math.round((held.busy / 1000) * size));
      into.add(palette.activity[0]!, x + left, y, width, size);
      const step = palette.activity[Math.max(1, busyStep(held.busy))]!;
      into.add(step, x + left, y + size - height, width, height);
      return;
    }
    into.add(colour(node, index), x + left, y, Math.min(width, size - left), size);
  });
}

/** GPUs that look the same as one rectangle: from afar a node is two or three of them. */
function coarseNode(
  scene: Scene,
  node: MapNode,
  box: NodeBox,
  colour: Colour,
  rest: Batches,
  lit: Batches,
) {
  const { view, palette } = scene;
  const cells: { colour: string; isLit: boolean }[] = [];
  for (let gpu = 0; gpu < Math.max(1, node.gpus); gpu += 1) {
    cells.push({ colour: emptyColour(node, gpu, palette), isLit: false });
  }
  node.held.forEach((held, index) => {
    const isLit = held.job === scene.lit;
    if (cells[held.gpu] && !cells[held.gpu]!.isLit) {
      cells[held.gpu] = { colour: colour(node, index), isLit };
    }
  });
  const height = Math.max(1, PITCH * view.scale);
  for (let start = 0; start < cells.length; ) {
    const first = cells[start]!;
    const rowEnd = (Math.floor(start / box.columns) + 1) * box.columns;
    let end = start + 1;
    while (
      end < cells.length &&
      end < rowEnd &&
      cells[end]!.colour === first.colour &&
      cells[end]!.isLit === first.isLit
    ) {
      end += 1;
    }
    const x = view.x + (box.x + (start % box.columns) * PITCH) * view.scale;
    const y = view.y + (box.y + Math.floor(start / box.columns) * PITCH) * view.scale;
    const into = first.isLit ? lit : rest;
    into.add(first.colour, x, y, Math.max(0.75, (end - start) * PITCH * view.scale), height * 0.85);
    start = end;
  }
}

/** Shapes that say without colour what is the matter. */
function marks(context: CanvasRenderingContext2D, scene: Scene, node: MapNode, box: NodeBox) {
  const { view, palette, state } = scene;
  const pitch = PITCH * view.scale;
  const size = CELL * view.scale;
  if (node.drained || node.state !== 'up') {
    const [x, y] = [view.x + box.x * view.scale, view.y + box.y * view.scale];
    const [width, height] = [box.width * view.scale, box.height * view.scale];
    if (pitch < 3) {
      // Stripes would not be seen; a line through the node is.
      context.fillStyle = node.state === 'up' ? palette.faint : palette.sick;
      context.fillRect(x, y + height / 2, width, 1);
      return;
    }
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = node.state === 'up' ? palette.faint : palette.sick;
    context.globalAlpha = 0.75;
    context.lineWidth = 1;
    const step = Math.max(4, pitch / 2.4);
    context.beginPath();
    for (let at = -height; at < width; at += step) {
      context.moveTo(x + at, y + height);
      context.lineTo(x + at + height, y);
    }
    context.stroke();
    context.restore();
  }
  if (pitch < SHAPED) return;
  context.fillStyle = palette.paper;
  for (const held of node.held) {
    if (scene.mode !== 'state' || held.milli < 1000) continue;
    const [x, y] = corner(view, box, held.gpu);
    const jobState = state.jobs.get(held.job)?.state;
    if (jobState === 'paused' || jobState === 'pausing') {
      context.fillRect(x + size * 0.28, y + size * 0.25, size * 0.16, size * 0.5);
      context.fillRect(x + size * 0.56, y + size * 0.25, size * 0.16, size * 0.5);
    } else if (jobState === 'launching' || jobState === 'resuming') {
      context.beginPath();
      context.moveTo(x + size * 0.34, y + size * 0.26);
      context.lineTo(x + size * 0.72, y + size * 0.5);
      context.lineTo(x + size * 0.34, y + size * 0.74);
      context.fill();
    } else if (jobState === 'stopping') {
      context.fillRect(x + size * 0.32, y + size * 0.32, size * 0.36, size * 0.36);
    }
  }
  if (node.unhealthy.length === 0) return;
  context.strokeStyle = palette.paper;
  context.lineWidth = Math.max(1.5, size / 8);
  context.beginPath();
  for (const gpu of node.unhealthy) {
    const [x, y] = corner(view, box, gpu);
    context.moveTo(x + size * 0.25, y + size * 0.25);
    context.lineTo(x + size * 0.75, y + size * 0.75);
    context.moveTo(x + size * 0.75, y + size * 0.25);
    context.lineTo(x + size * 0.25, y + size * 0.75);
  }
  context.stroke();
}

/** The number of a job over the cells it has side by side. */
function numbers(context: CanvasRenderingContext2D, scene: Scene, node: MapNode, box: NodeBox) {
  const { view, palette, mode } = scene;
  const size = CELL * view.scale;
  context.font = '600 9.5px "IBM Plex Sans Variable", system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  let before: { job: number; gpu: number } | null = null;
  for (const held of node.held) {
    const isNext = before?.job === held.job && held.gpu === before.gpu + 1;
    const isNewRow = held.gpu % box.columns === 0;
    before = { job: held.job, gpu: held.gpu };
    if ((isNext && !isNewRow) || held.milli < 500) continue;
    const [x, y] = corner(view, box, held.gpu);
    const text = String(held.job);
    if (scene.lit !== null && scene.lit !== held.job) continue;
    if (context.measureText(text).width > size - 3) continue;
    const isPale = mode === 'activity' && (held.busy ?? 0) < 400;
    context.fillStyle = isPale ? palette.ink : palette.isDark ? '#06110f' : '#ffffff';
    if (mode === 'state' && isMarked(scene, held.job)) continue;
    context.fillText(text, x + 2, y + size / 2 + 0.5);
  }
}

function isMarked(scene: Scene, job: number): boolean {
  const state = scene.state.jobs.get(job)?.state;
  return state !== undefined && state !== 'running';
}

function name(context: CanvasRenderingContext2D, scene: Scene, node: MapNode, box: NodeBox) {
  const { view, palette } = scene;
  context.font = '500 10.5px "IBM Plex Sans Variable", system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = palette.faint;
  const note = node.drained ? ' drained' : node.state === 'up' ? '' : ' not seen';
  const x = view.x + box.x * view.scale;
  context.fillText(`${node.name}${note}`, x, view.y + box.y * view.scale - 4);
}

function paintDomain(context: CanvasRenderingContext2D, scene: Scene, domain: DomainBox) {
  const { view, screen, palette } = scene;
  if (!isVisible(domain, view, screen)) return;
  const x = view.x + domain.x * view.scale;
  const y = view.y + domain.y * view.scale;
  const width = domain.width * view.scale;
  const height = domain.height * view.scale;
  context.fillStyle = domain.depth % 2 === 0 ? palette.frame : palette.paper;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, Math.min(5, width / 8));
  context.fill();
  if (width > 12) context.stroke();
  const room = domain.label * view.scale;
  if (room < 9 || width < 22) return;
  context.font = '600 10.5px "IBM Plex Sans Variable", system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = palette.faint;
  context.fillText(domain.name, x + 7 * view.scale, y + room / 2 + 0.5, width - 8);
}

/** From afar the names of the widest domains lie over what is in them. */
function farName(context: CanvasRenderingContext2D, scene: Scene, domain: DomainBox) {
  const { view, screen, palette } = scene;
  const isTold = domain.label * view.scale >= 9;
  if (isTold || domain.width * view.scale < 46 || !isVisible(domain, view, screen)) return;
  const [x, y] = [view.x + domain.x * view.scale, view.y + domain.y * view.scale];
  context.font = '600 11px "IBM Plex Sans Variable", system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillStyle = palette.paper;
  context.fillRect(x, y, context.measureText(domain.name).width + 10, 16);
  context.fillStyle = palette.ink;
  context.fillText(domain.name, x + 5, y + 8.5);
}

function ring(context: CanvasRenderingContext2D, scene: Scene) {
  const box = scene.selected === null ? undefined : scene.layout.nodes[scene.selected];
  if (!box) return;
  const { view, palette } = scene;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  const [x, y] = [view.x + box.x * view.scale - 3, view.y + box.y * view.scale - 3];
  context.roundRect(x, y, box.width * view.scale + 6, box.height * view.scale + 6, 4);
  context.stroke();
}

function corner(view: View, box: NodeBox, gpu: number): [number, number] {
  const column = gpu % box.columns;
  const row = Math.floor(gpu / box.columns);
  return [
    Math.round(view.x + (box.x + column * PITCH) * view.scale),
    Math.round(view.y + (box.y + row * PITCH) * view.scale),
  ];
}

type Rectangle = { x: number; y: number; width: number; height: number };

function isVisible(box: Rectangle, view: View, screen: Size): boolean {
  const left = view.x + box.x * view.scale;
  const top = view.y + box.y * view.scale;
  return (
    left < screen.width &&
    top < screen.height &&
    left + box.width * view.scale > 0 &&
    top + box.height * view.scale > 0
  );
}
