/** Clusters for tests, as large as wanted and the same each time. */
import type { MapNode, MapView } from '../api/types';

type Shape = { blocks: number; racks: number; nodes: number; gpus: number };

/** Nodes in blocks and racks; about two thirds of the GPUs are held by gangs of 1 to 64. */
export function fixtureNodes({ blocks, racks, nodes, gpus }: Shape): MapNode[] {
  const all: MapNode[] = [];
  let job = 1;
  let left = 3;
  for (let block = 0; block < blocks; block += 1) {
    for (let rack = 0; rack < racks; rack += 1) {
      for (let index = 0; index < nodes; index += 1) {
        const node: MapNode = {
          name: `n${all.length}`,
          domains: [`b${block}`, `r${block * racks + rack}`],
          state: 'up',
          drained: false,
          model: 'H100',
          gpus,
          unhealthy: [],
          held: [],
        };
        for (let gpu = 0; gpu < gpus; gpu += 1) {
          if (left === 0) {
            job += 1;
            left = 1 + ((job * 7919) % 64);
          }
          left -= 1;
          if (job % 3 > 0) node.held.push({ gpu, job, milli: 1000, busy: (job * 137) % 1000 });
        }
        all.push(node);
      }
    }
  }
  return all;
}

export function fixtureMap(shape: Shape): MapView {
  const nodes = fixtureNodes(shape);
  const ids = new Set(nodes.flatMap((node) => node.held.map((held) => held.job)));
  const jobs = [...ids].map((id) => ({
    id,
    name: `job-${id}`,
    user: `user-${id % 7}`,
    team: `team-${id % 5}`,
    queue: 'default',
    class: 'standard',
    state: 'running' as const,
    gpus_milli: 1000,
  }));
  return {
    sequence: 1,
    at: '2026-11-16T12:00:00Z',
    cluster: {
      nodes: nodes.length,
      nodes_unseen: 0,
      gpus: nodes.length * shape.gpus,
      gpus_used_milli: 0,
      pending: 0,
      active: jobs.length,
      ended: 0,
      sequence: 1,
    },
    levels: ['block', 'rack'],
    nodes,
    jobs,
    largest: [],
  };
}
