import { expect, it, describe as suite } from 'vitest';
import type { MapChange } from '../api/types';
import { fixtureMap } from './fixture';
import { applyChange, describe, freeGpus, mapState } from './state';

const shape = { blocks: 1, racks: 2, nodes: 3, gpus: 8 };
const whole = () => mapState(fixtureMap(shape));

function change(state: ReturnType<typeof whole>, part: Partial<MapChange>): MapChange {
  return {
    sequence: 2,
    at: '2026-11-16T12:00:01Z',
    cluster: state.cluster,
    nodes: [],
    nodes_gone: [],
    jobs: [],
    jobs_gone: [],
    largest: [],
    ...part,
  };
}

suite('the map', () => {
  it('takes over changed nodes and jobs and forgets those that went', () => {
    const state = whole();
    const node = { ...state.nodes[0]!, held: [] };
    const gone = [...state.jobs.keys()][0]!;
    const next = applyChange(state, change(state, { nodes: [node], jobs_gone: [gone] }));
    expect(next.nodes[0]).toEqual(node);
    expect(next.jobs.has(gone)).toBe(false);
    expect(next.shape).toBe(state.shape);
    // The one before is as it was: what is on the screen is drawn from it.
    expect(state.nodes[0]!.held.length).toBeGreaterThan(0);
    expect(state.jobs.has(gone)).toBe(true);
  });

  it('is laid out anew when nodes come, go or move, and only then', () => {
    const state = whole();
    const extra = { ...state.nodes[0]!, name: 'n1b' };
    const grown = applyChange(state, change(state, { nodes: [extra] }));
    expect(grown.shape).not.toBe(state.shape);
    expect(grown.nodes.map((node) => node.name).indexOf('n1b')).toBe(2);
    const less = applyChange(grown, change(state, { nodes_gone: ['n1b'] }));
    expect(less.nodes.length).toBe(6);
    const moved = { ...state.nodes[0]!, domains: ['b0', 'r9'] };
    const after = applyChange(less, change(state, { nodes: [moved] }));
    expect(after.shape).not.toBe(less.shape);
    expect(after.nodes.at(-1)!.name).toBe('n0');
  });

  it('takes over other levels, and keeps them where none are told', () => {
    const state = whole();
    const flat = applyChange(state, change(state, { levels: ['rack'] }));
    expect(flat.levels).toEqual(['rack']);
    expect(flat.shape).not.toBe(state.shape);
    const later = applyChange(flat, change(flat, {}));
    expect(later.levels).toEqual(['rack']);
    expect(later.shape).toBe(flat.shape);
  });

  it('orders names by their numbers', () => {
    const view = fixtureMap({ blocks: 1, racks: 1, nodes: 12, gpus: 1 });
    view.nodes.reverse();
    const names = mapState(view).nodes.map((node) => node.name);
    expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `n${index}`));
  });

  it('counts as free only what could be given', () => {
    const node = { ...whole().nodes[0]!, held: [{ gpu: 0, job: 1, milli: 250 }], unhealthy: [7] };
    expect(freeGpus(node)).toBe(6);
    expect(freeGpus({ ...node, drained: true })).toBe(0);
    expect(freeGpus({ ...node, state: 'unknown' })).toBe(0);
  });

  it('says in words what a node has', () => {
    const state = whole();
    const node = { ...state.nodes[0]!, held: [{ gpu: 0, job: 2, milli: 500 }], unhealthy: [3] };
    expect(describe(node, state.jobs)).toBe(
      'n0 in b0, r0: up, 6 of 8 GPUs free, unhealthy GPUs: 3; job 2 job-2 of user-2: 0.5',
    );
  });
});
