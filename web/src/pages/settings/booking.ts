/** A booking as a form asks for it: places to choose from, and times of the reader's clock. */
import type { BookingView, NodeView } from '../../api/types';

export type Booking = BookingView['booking'];
export type Place = Booking['places'][number];

export type Draft = {
  name: string;
  /** As `wordOf` writes them. */
  places: string[];
  users: string;
  queues: string;
  /** As a field for a moment has it; empty for now. */
  from: string;
  /** Empty for as long as nobody takes it back. */
  until: string;
  leftovers: string;
};

/** Everything that can be set aside: all of it, domains from the widest down, then nodes. */
export function choicesOf(nodes: Pick<NodeView, 'name' | 'domains'>[]): Map<string, Place> {
  const order = new Intl.Collator('en', { numeric: true });
  const paths = new Map<string, string[]>();
  for (const node of nodes) {
    for (let depth = 1; depth <= node.domains.length; depth += 1) {
      const path = node.domains.slice(0, depth);
      paths.set(path.join('/'), path);
    }
  }
  const domains = [...paths.values()].sort(
    (a, b) => a.length - b.length || order.compare(a.join('/'), b.join('/')),
  );
  const names = nodes.map((node) => node.name).sort(order.compare);
  const places: Place[] = [
    { domain: [] },
    ...domains.map((domain) => ({ domain })),
    ...names.map((node) => ({ node })),
  ];
  return new Map(places.map((place) => [wordOf(place), place]));
}

export function wordOf(place: Place): string {
  if ('node' in place) return place.node;
  return place.domain.length === 0 ? 'all nodes' : `${place.domain.join('/')}/`;
}

/** What is asked of the server; what is wrong with it, the server says. */
export function bookingOf(draft: Draft, choices: Map<string, Place>, now: number): Booking {
  return {
    name: draft.name.trim(),
    users: listed(draft.users),
    queues: listed(draft.queues),
    places: draft.places.flatMap((word) => choices.get(word) ?? []),
    start: draft.from ? Date.parse(draft.from) : now,
    end: draft.until ? Date.parse(draft.until) : null,
    leftovers: draft.leftovers as Booking['leftovers'],
  };
}

export function peopleOf(booking: Booking): string {
  const people = [...(booking.users ?? []), ...(booking.queues ?? [])];
  return people.length > 0 ? people.join(', ') : 'nobody: maintenance';
}

const listed = (text: string): string[] => text.split(/[,\s]+/).filter(Boolean);
