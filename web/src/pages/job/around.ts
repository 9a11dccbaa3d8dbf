/** The part of the map that a job is in. */
import type { AttemptView, MapView } from '../../api/types';
import { type MapState, mapState } from '../../map/state';

/** More nodes than this are cut down to those that share a domain with the job. */
const NODES_MAX = 160;

/** The map near a job, with the job in the places of this attempt. */
export function around(view: MapView, job: number, attempt: AttemptView): MapState {
  const places = new Map<string, AttemptView['places']>();
  for (const place of attempt.places) {
    places.set(place.node, [...(places.get(place.node) ?? []), place]);
  }
  let nodes = view.nodes;
  if (nodes.length > NODES_MAX) {
    const own = nodes.filter((node) => places.has(node.name));
    const near = new Set(own.map((node) => node.domains.join('/')));
    nodes = nodes.filter((node) => near.has(node.domains.join('/')));
    if (nodes.length > NODES_MAX) nodes = own;
  }
  const withJob = nodes.map((node) => {
    const mine = places.get(node.name);
    if (!mine) return node;
    const others = (node.held ?? []).filter((held) => held.job !== job);
    const held = mine.flatMap((place) =>
      place.gpus.map((gpu) => ({ gpu, job, milli: place.share_milli ?? 1000 })),
    );
    const taken = new Set(held.map((one) => one.gpu));
    const rest = others.filter((one) => !taken.has(one.gpu) || one.milli < 1000);
    return { ...node, held: [...rest, ...held] };
  });
  return mapState({ ...view, nodes: withJob });
}
