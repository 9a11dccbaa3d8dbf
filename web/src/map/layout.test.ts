import { describe, expect, it } from 'vitest';
import { neighbour, spotAt } from './find';
import { fixtureNodes } from './fixture';
import { layoutOf, type NodeBox } from './layout';
import { fit, pan, toMap, zoom } from './view';

type Rectangle = Pick<NodeBox, 'x' | 'y' | 'width' | 'height'>;
const contains = (outer: Rectangle, inner: Rectangle) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
const overlaps = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('the layout of the map', () => {
  const nodes = fixtureNodes({ blocks: 3, racks: 4, nodes: 6, gpus: 8 });
  const layout = layoutOf(nodes, 2, 1.6);

  it('gives every node a place of its own within its domains', () => {
    const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
    layout.nodes.forEach((box, index) => {
      expect(contains(whole, box)).toBe(true);
      for (const name of nodes[index]!.domains) {
        const domain = layout.domains.find((domain) => domain.name === name)!;
        expect(contains(domain, box), `${nodes[index]!.name} in ${name}`).toBe(true);
      }
      for (const other of layout.nodes.slice(index + 1)) {
        expect(overlaps(box, other)).toBe(false);
      }
    });
    const racks = layout.domains.filter((domain) => domain.depth === 1);
    for (const [index, rack] of racks.entries()) {
      for (const other of racks.slice(index + 1)) expect(overlaps(rack, other)).toBe(false);
    }
  });

  it('comes near to the shape of the screen, wide or narrow', () => {
    for (const aspect of [0.5, 1, 2]) {
      const { width, height } = layoutOf(nodes, 2, aspect);
      const ratio = width / height / aspect;
      expect(ratio).toBeGreaterThan(0.4);
      expect(ratio).toBeLessThan(2.5);
    }
  });

  it('does without domains, with nodes that have none, and with no node at all', () => {
    expect(layoutOf([], 2, 1).nodes).toEqual([]);
    const odd = [{ ...nodes[0]!, domains: [] }, ...nodes.slice(1, 9)];
    expect(layoutOf(odd, 2, 1).nodes.filter(Boolean).length).toBe(9);
    const many = fixtureNodes({ blocks: 1, racks: 1, nodes: 500, gpus: 4 });
    const flat = layoutOf(many, 0, 1.5);
    expect(flat.domains).toEqual([]);
    expect(flat.width / flat.height).toBeGreaterThan(0.7);
  });

  it('lays out a hundred thousand GPUs', () => {
    const large = fixtureNodes({ blocks: 20, racks: 25, nodes: 25, gpus: 8 });
    expect(layoutOf(large, 2, 1.6).nodes.filter(Boolean).length).toBe(12_500);
  });

  it('finds the GPU at each point, and nothing between', () => {
    const gpus = (index: number) => nodes[index]!.gpus;
    const box = layout.nodes[10]!;
    expect(spotAt(layout, box.x + 1, box.y + 1, gpus)).toEqual({ node: 10, gpu: 0 });
    expect(spotAt(layout, box.x + 7 * 12 + 1, box.y + 1, gpus)).toEqual({ node: 10, gpu: 7 });
    expect(spotAt(layout, -50, -50, gpus)).toBeNull();
  });

  it('leads by arrows from node to node and back, reaching all', () => {
    const down = neighbour(layout, 0, 'down');
    expect(down).toBe(1);
    expect(neighbour(layout, down, 'up')).toBe(0);
    expect(neighbour(layout, 0, 'up')).toBe(0);
    const seen = new Set([0]);
    const open = [0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const way of ['left', 'right', 'up', 'down'] as const) {
        const next = neighbour(layout, at, way);
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
      }
    }
    expect(seen.size).toBe(nodes.length);
  });
});

describe('the view of the map', () => {
  const map = { width: 1000, height: 500 };
  const screen = { width: 400, height: 400 };

  it('shows the whole map at first', () => {
    const view = fit(map, screen);
    expect(view.scale * map.width).toBeLessThanOrEqual(screen.width);
    expect(view.scale * map.height).toBeLessThanOrEqual(screen.height);
  });

  it('keeps what is under the pointer there while zooming', () => {
    const view = fit(map, screen);
    const at = { x: 123, y: 77 };
    const before = toMap(view, at);
    const after = toMap(zoom(view, 1.7, at, 0.1), at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
    expect(zoom(view, 0.0001, at, 0.1).scale).toBe(0.1);
  });

  it('cannot be pushed off the screen', () => {
    const view = pan(fit(map, screen), 1e6, -1e6, map, screen);
    expect(view.x).toBeLessThan(screen.width);
    expect(view.y + map.height * view.scale).toBeGreaterThan(0);
  });
});
