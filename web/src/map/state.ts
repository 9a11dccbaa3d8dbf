/** The map of the cluster as the stream tells it: a whole, and changes to it. */
import type { ClusterView, LargestGang, MapChange, MapJob, MapNode, MapView } from '../api/types';

export type MapState = {
  at: string;
  cluster: ClusterView;
  levels: string[];
  /** By name, in the order of their places. */
  nodes: MapNode[];
  jobs: Map<number, MapJob>;
  largest: LargestGang[];
  /** Grows when nodes come, go or move: what was laid out before no longer fits. */
  shape: number;
};

let shapes = 0;

export function mapState(view: MapView): MapState {
  const { at, cluster, levels, largest } = view;
  const nodes = view.nodes.map(filled).sort(byPlace);
  const jobs = new Map(view.jobs.map((job) => [job.id, job]));
  shapes += 1;
  return { at, cluster, levels, nodes, jobs, largest, shape: shapes };
}

/** The state after a change; the one before is left as it was. */
export function applyChange(state: MapState, change: MapChange): MapState {
  const changed = new Map(change.nodes.map((node) => [node.name, filled(node)]));
  const gone = new Set(change.nodes_gone);
  const levels = change.levels ?? state.levels;
  let isReshaped = gone.size > 0 || levels.join('/') !== state.levels.join('/');
  let nodes: MapNode[] = [];
  for (const node of state.nodes) {
    const next = changed.get(node.name);
    changed.delete(node.name);
    if (gone.has(node.name)) continue;
    if (next && !hasSamePlace(node, next)) isReshaped = true;
    nodes.push(next ?? node);
  }
  if (changed.size > 0) {
    isReshaped = true;
    nodes.push(...changed.values());
  }
  if (isReshaped) {
    nodes = nodes.sort(byPlace);
    shapes += 1;
  }
  const jobs = new Map(state.jobs);
  for (const id of change.jobs_gone) jobs.delete(id);
  for (const job of change.jobs) jobs.set(job.id, job);
  return {
    at: change.at,
    cluster: change.cluster,
    levels,
    nodes,
    jobs,
    largest: change.largest,
    shape: isReshaped ? shapes : state.shape,
  };
}

/** With what is left out where it is empty. */
function filled(node: MapView['nodes'][number]): MapNode {
  return { ...node, unhealthy: node.unhealthy ?? [], held: node.held ?? [] };
}

const ORDER = new Intl.Collator('en', { numeric: true });

/** Domains first, so that neighbours are together, and `node-10` after `node-9`. */
function byPlace(a: MapNode, b: MapNode): number {
  const depth = Math.max(a.domains.length, b.domains.length);
  for (let index = 0; index < depth; index += 1) {
    const order = ORDER.compare(a.domains[index] ?? '', b.domains[index] ?? '');
    if (order !== 0) return order;
  }
  return ORDER.compare(a.name, b.name);
}

function hasSamePlace(a: MapNode, b: MapNode): boolean {
  return a.gpus === b.gpus && a.domains.join('/') === b.domains.join('/');
}

/** GPUs of a node that are whole, healthy and nobody's. */
export function freeGpus(node: MapNode): number {
  if (node.state !== 'up' || node.drained) return 0;
  const taken = new Set(node.held.map((held) => held.gpu));
  for (const gpu of node.unhealthy) taken.add(gpu);
  return Math.max(0, node.gpus - taken.size);
}

/** What somebody who cannot see the map is told about a node. */
export function describe(node: MapNode, jobs: Map<number, MapJob>): string {
  const byJob = new Map<number, number>();
  for (const held of node.held) byJob.set(held.job, (byJob.get(held.job) ?? 0) + held.milli);
  const parts = [...byJob].map(([id, milli]) => {
    const job = jobs.get(id);
    return `job ${id}${job ? ` ${job.name} of ${job.user}` : ''}: ${milli / 1000}`;
  });
  const where = node.domains.length > 0 ? ` in ${node.domains.join(', ')}` : '';
  const state = node.drained ? 'drained' : node.state === 'up' ? 'up' : `${node.state}, not seen`;
  const sick = node.unhealthy.length > 0 ? `, unhealthy GPUs: ${node.unhealthy.join(', ')}` : '';
  const held = parts.length > 0 ? `; ${parts.join('; ')}` : '';
  return `${node.name}${where}: ${state}, ${freeGpus(node)} of ${node.gpus} GPUs free${sick}${held}`;
}
