import { describe, expect, it } from 'vitest';
import type { AttemptView, MapView } from '../../api/types';
import { fixtureMap } from '../../map/fixture';
import { around } from './around';
import { seriesOf } from './series';

describe('the activity of a job', () => {
  it('is a mean of GPUs in each part, and unknown where nothing measured', () => {
    const point = (from: number, to: number, held: number, active?: number) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      held_gpu_ms: held,
      measured_gpu_ms: held,
      active_gpu_ms: active,
    });
    const series = seriesOf([point(0, 1000, 4000, 1000), point(1000, 3000, 8000), point(5, 5, 0)]);
    expect(series).toEqual({ times: [500, 2000], held: [4, 4], active: [1, null] });
  });

  it('is not called idle where it was measured in part', () => {
    const point = {
      from: new Date(0).toISOString(),
      to: new Date(1000).toISOString(),
      held_gpu_ms: 4000,
      measured_gpu_ms: 1000,
      active_gpu_ms: 500,
    };
    expect(seriesOf([point]).active).toEqual([2]);
  });
});

describe('the place of a job', () => {
  const places = (node: string) =>
    ({ places: [{ node, group: 0, rank: 0, gpus: [0, 1] }] }) as unknown as AttemptView;

  it('is drawn among its neighbours, in the places of its last attempt', () => {
    const view = fixtureMap({ blocks: 1, racks: 2, nodes: 2, gpus: 8 }) as MapView;
    const state = around(view, 999, places('n1'));
    expect(state.nodes.length).toBe(4);
    const held = state.nodes.find((node) => node.name === 'n1')!.held;
    expect(held.filter((held) => held.job === 999).map((held) => held.gpu)).toEqual([0, 1]);
    expect(held.filter((held) => held.gpu < 2 && held.job !== 999)).toEqual([]);
  });

  it('is cut out of a large cluster by its rack', () => {
    const view = fixtureMap({ blocks: 4, racks: 10, nodes: 8, gpus: 8 }) as MapView;
    const state = around(view, 999, places('n100'));
    expect(state.nodes.length).toBe(8);
    expect(new Set(state.nodes.map((node) => node.domains.join('/'))).size).toBe(1);
  });
});
