/** What is at a place of the map, and what is next to it. */
import { type Layout, type NodeBox, PITCH } from './layout';

export type Spot = { node: number; gpu: number | null };
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The node at a point, and its GPU where the point is on one. */
export function spotAt(layout: Layout, x: number, y: number, gpus: (node: number) => number) {
  const slack = 2;
  const index = layout.nodes.findIndex(
    (box) =>
      x >= box.x - slack &&
      x <= box.x + box.width + slack &&
      y >= box.y - slack &&
      y <= box.y + box.height + slack,
  );
  if (index < 0) return null;
  const box = layout.nodes[index]!;
  const column = Math.floor((x - box.x) / PITCH);
  const row = Math.floor((y - box.y) / PITCH);
  const gpu = row * box.columns + column;
  const isGpu = column >= 0 && column < box.columns && gpu >= 0 && gpu < gpus(index);
  return { node: index, gpu: isGpu ? gpu : null } satisfies Spot;
}

/** The nearest node in a direction; the same one where there is none. */
export function neighbour(layout: Layout, from: number, direction: Direction): number {
  const start = layout.nodes[from];
  if (!start) return layout.nodes.length > 0 ? 0 : from;
  let best = from;
  let nearest = Number.POSITIVE_INFINITY;
  layout.nodes.forEach((box, index) => {
    if (index === from) return;
    const [ahead, aside] = distance(start, box, direction);
    if (ahead <= 0) return;
    // Straight on counts for more than near: arrows follow rows and columns.
    const cost = ahead + 4 * aside;
    if (cost < nearest) {
      nearest = cost;
      best = index;
    }
  });
  return best;
}

function distance(from: NodeBox, to: NodeBox, direction: Direction): [number, number] {
  const dx = to.x + to.width / 2 - (from.x + from.width / 2);
  const dy = to.y + to.height / 2 - (from.y + from.height / 2);
  switch (direction) {
    case 'left':
      return [-dx, Math.abs(dy)];
    case 'right':
      return [dx, Math.abs(dy)];
    case 'up':
      return [-dy, Math.abs(dx)];
    case 'down':
      return [dy, Math.abs(dx)];
  }
}
