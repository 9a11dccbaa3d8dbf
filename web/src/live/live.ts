/**
 * What happens in the cluster, as it happens: one stream for the whole tab. Most pages listen to
 * events; the map has a stream of its own, which takes the other's place while it is looked at.
 */
import { signal } from '@preact/signals';
import type { ClusterView, EventView, MapChange, MapView } from '../api/types';
import { applyChange, type MapState, mapState } from '../map/state';
import { openStream, type StreamState } from './stream';

export type Kind = 'events' | 'map';

/** The state of the stream, and when it last brought something. */
export const stream = signal<StreamState>('connecting');
export const heardAt = signal(Date.now());
export const cluster = signal<ClusterView | null>(null);
export const map = signal<MapState | null>(null);

type Listener = (event: EventView) => void;
const listeners = new Set<Listener>();
const changes = new Set<() => void>();
const returns = new Set<() => void>();

let close: (() => void) | null = null;
let open: Kind | null = null;
let lastEvent: number | null = null;

/** Hears each event while the tab listens to events. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hears that something changed: by an event or by the map. */
export function onChange(listener: () => void): () => void {
  changes.add(listener);
  return () => changes.delete(listener);
}

/** Hears that the server is back: whatever was asked meanwhile has failed or is old. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

/** Listens to this from now on; to nothing with null. */
export function listenTo(kind: Kind | null) {
  if (kind === open) return;
  close?.();
  close = null;
  open = kind;
  if (kind === null) {
    lastEvent = null;
    return;
  }
  stream.value = 'connecting';
  close = openStream({
    path: () => (kind === 'map' ? '/v1/map/stream' : eventsPath()),
    onState: (state) => {
      const isBack = state === 'live' && stream.value === 'lost';
      stream.value = state;
      if (state === 'live') heardAt.value = Date.now();
      if (isBack) for (const listener of returns) listener();
    },
    onMessage: ({ event, data }) => {
      heardAt.value = Date.now();
      if (event === 'whole') takeMap(mapState(JSON.parse(data) as MapView));
      if (event === 'change' && map.value) {
        takeMap(applyChange(map.value, JSON.parse(data) as MapChange));
      }
      if (event === 'event') takeEvent(JSON.parse(data) as EventView);
    },
  });
}

function eventsPath(): string {
  return lastEvent === null ? '/v1/events/stream' : `/v1/events/stream?after=${lastEvent}`;
}

function takeMap(state: MapState) {
  map.value = state;
  cluster.value = state.cluster;
  tellChange();
}

function takeEvent(event: EventView) {
  lastEvent = event.id;
  for (const listener of listeners) listener(event);
  tellChange();
}

function tellChange() {
  for (const listener of changes) listener();
}
