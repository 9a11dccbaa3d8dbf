/**
 * Where everything is on the map: GPUs in rows of a node, nodes stacked in their rack, racks side
 * by side in their block, and so on up. Pure geometry in units of its own; the view scales it.
 */
import type { MapNode } from '../api/types';

/** One GPU and the gap after it. */
export const PITCH = 12;
export const CELL = 10;
/** GPUs in one row of a node. */
const COLUMNS_MAX = 8;
const PADDING = 7;
const LABEL = 15;
/** In large clusters the widest domains are seen from afar, and so must their names. */
const LABEL_FAR = 30;
const GAP = 10;
const NODE_GAP = 5;
/** Up to so many nodes there is room for their names. */
const NAMED_NODES_MAX = 96;
const NAME = 14;
/** A rack higher than this is drawn as several columns. */
const RACK_NODES_MAX = 40;
/** Ways to break a row of boxes that are compared. */
const TRIES = 48;

export type NodeBox = { x: number; y: number; width: number; height: number; columns: number };
export type DomainBox = {
  depth: number;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The strip on top for its name. */
  label: number;
};
export type Layout = {
  width: number;
  height: number;
  /** By the index of the node. */
  nodes: NodeBox[];
  /** Widest first. */
  domains: DomainBox[];
  isNamed: boolean;
};

type Box = { width: number; height: number; put: (x: number, y: number) => void };
type Placed = { index: number; node: MapNode };

/** Lays out nodes that are in the order of their places. */
export function layoutOf(nodes: MapNode[], depth: number, aspect: number): Layout {
  const layout: Layout = {
    width: 0,
    height: 0,
    nodes: new Array(nodes.length),
    domains: [],
    isNamed: nodes.length <= NAMED_NODES_MAX,
  };
  const all = nodes.map((node, index) => ({ index, node }));
  const root = group(all, 0, depth, aspect, layout);
  root.put(0, 0);
  layout.width = root.width;
  layout.height = root.height;
  layout.domains.sort((a, b) => a.depth - b.depth);
  return layout;
}

function group(all: Placed[], depth: number, depths: number, aspect: number, out: Layout): Box {
  const children: Box[] = [];
  const own: Placed[] = [];
  for (let start = 0; start < all.length; ) {
    const name = all[start]!.node.domains[depth];
    let end = start + 1;
    while (end < all.length && all[end]!.node.domains[depth] === name) end += 1;
    const part = all.slice(start, end);
    start = end;
    if (depth >= depths || name === undefined) own.push(...part);
    else children.push(framed(group(part, depth + 1, depths, aspect, out), name, depth, out));
  }
  if (own.length > 0) children.unshift(stacked(own, depth, aspect, out));
  return children.length === 1 ? children[0]! : shelved(children, aspect, GAP);
}

/** A domain around what is in it, with room for its name. */
function framed(inner: Box, name: string, depth: number, out: Layout): Box {
  const label = depth === 0 && !out.isNamed ? LABEL_FAR : LABEL;
  const width = inner.width + 2 * PADDING;
  const height = inner.height + label + PADDING;
  return {
    width,
    height,
    put: (x, y) => {
      out.domains.push({ depth, name, x, y, width, height, label });
      inner.put(x + PADDING, y + label);
    },
  };
}

/** Nodes in columns: a rack in one, many nodes without racks in as many as suit the screen. */
function stacked(all: Placed[], depth: number, aspect: number, out: Layout): Box {
  const boxes = all.map(({ index, node }) => nodeBox(index, node, out));
  const isRack = depth > 0 && all.length <= RACK_NODES_MAX;
  if (isRack) return column(boxes);
  const width = most(boxes, 'width') + GAP;
  const height = most(boxes, 'height') + NODE_GAP;
  const rows = Math.max(1, Math.round(Math.sqrt((all.length * width) / (height * aspect))));
  const columns: Box[] = [];
  for (let start = 0; start < boxes.length; start += rows) {
    columns.push(column(boxes.slice(start, start + rows)));
  }
  return row(columns, GAP);
}

function nodeBox(index: number, node: MapNode, out: Layout): Box {
  const columns = Math.max(1, Math.min(node.gpus, COLUMNS_MAX));
  const rows = Math.max(1, Math.ceil(node.gpus / COLUMNS_MAX));
  const name = out.isNamed ? NAME : 0;
  const width = columns * PITCH - (PITCH - CELL);
  const height = rows * PITCH - (PITCH - CELL);
  return {
    width,
    height: height + name,
    put: (x, y) => {
      out.nodes[index] = { x, y: y + name, width, height, columns };
    },
  };
}

function column(boxes: Box[]): Box {
  const width = most(boxes, 'width');
  const height = boxes.reduce((sum, box) => sum + box.height + NODE_GAP, -NODE_GAP);
  return {
    width,
    height,
    put: (x, y) => {
      let at = y;
      for (const box of boxes) {
        box.put(x, at);
        at += box.height + NODE_GAP;
      }
    },
  };
}

function row(boxes: Box[], gap: number): Box {
  const width = boxes.reduce((sum, box) => sum + box.width + gap, -gap);
  const height = most(boxes, 'height');
  return {
    width,
    height,
    put: (x, y) => {
      let at = x;
      for (const box of boxes) {
        box.put(at, y);
        at += box.width + gap;
      }
    },
  };
}

/**
 * Boxes in order on shelves of so many each. How many is a compromise of two wishes: the shape of
 * the screen, and no room left over at the end of the last shelf.
 */
function shelved(boxes: Box[], aspect: number, gap: number): Box {
  if (boxes.length === 0) return { width: 0, height: 0, put: () => {} };
  const area = boxes.reduce((sum, box) => sum + (box.width + gap) * (box.height + gap), 0);
  let best: { box: Box; off: number } | null = null;
  // Beyond some dozens the counts near the ideal one are all that could be chosen.
  const ideal = Math.sqrt((boxes.length * aspect * most(boxes, 'height')) / most(boxes, 'width'));
  const least = Math.max(1, Math.floor(ideal / 2));
  for (let across = least; across <= Math.min(boxes.length, least + TRIES); across += 1) {
    const box = shelves(boxes, across, gap);
    const shape = Math.abs(Math.log(box.width / box.height / aspect));
    const waste = 1 - area / ((box.width + gap) * (box.height + gap));
    const off = shape * 0.6 + waste * 1.6;
    if (!best || off < best.off) best = { box, off };
  }
  return best!.box;
}

function shelves(boxes: Box[], across: number, gap: number): Box {
  const rows: Box[] = [];
  for (let start = 0; start < boxes.length; start += across) {
    rows.push(row(boxes.slice(start, start + across), gap));
  }
  const height = rows.reduce((sum, box) => sum + box.height + gap, -gap);
  return {
    width: most(rows, 'width'),
    height,
    put: (x, y) => {
      let at = y;
      for (const box of rows) {
        box.put(x, at);
        at += box.height + gap;
      }
    },
  };
}

/** Without spreading: a hundred thousand arguments are more than a call takes. */
function most(boxes: Box[], side: 'width' | 'height'): number {
  return boxes.reduce((most, box) => Math.max(most, box[side]), 0);
}
