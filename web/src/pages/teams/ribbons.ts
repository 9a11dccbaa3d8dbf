/** Where the picture of who lends to whom has what: two columns of bars and the ribbons between. */
import { compare } from '../../parts/list';
import type { End, Flow } from './lending';

type Side = 'from' | 'to';
/** From one height to another, in pixels from the top. */
type Stretch = [top: number, bottom: number];
/** One bar; its words stand at its middle. */
export type Bar = { id: string; end: End; milli: number; at: Stretch };
/** A flow between two bars, with the stretches at which it leaves the one and reaches the other. */
export type Ribbon = { from: string; to: string; milli: number; leaves: Stretch; reaches: Stretch };
export type Picture = { from: Bar[]; to: Bar[]; ribbons: Ribbon[]; height: number };

/** Queues at one side that can be told apart; the smaller ones are drawn as one. */
export const QUEUES_MAX = 8;
/** How high all that flows is together. */
const FLOW_PX = 176;
/** The least that can be seen. */
const BAR_PX_MIN = 4;
/** Two lines of words and the room between them, so that those of neighbours never meet. */
const WORDS_PX = 44;

/** Queues come first, then those that stand for several or for none. */
const ORDER: End['kind'][] = ['queue', 'others', 'undivided', 'free', 'unused'];

const idOf = (side: Side, end: End): string => `${side} ${end.kind} ${end.name}`;

export function pictureOf(all: Flow[]): Picture {
  const flows = gathered(gathered(all, 'from'), 'to');
  const givers = endsOf(flows, 'from');
  const takers = untangled(endsOf(flows, 'to'), givers, flows);
  const columns = [givers, takers].map(sketched);
  const height = Math.max(...columns.map(heightOf));
  const [from, to] = columns.map((bars) => placed(bars, height)) as [Bar[], Bar[]];
  return { from, to, ribbons: ribbonsOf(flows, from, to), height };
}

/** The flows as the picture has them, from top to bottom. */
export function ordered(flows: Flow[]): Flow[] {
  const ranks = [...endsOf(flows, 'from'), ...endsOf(flows, 'to')].map((bar) => bar.id);
  const rank = (side: Side, flow: Flow) => ranks.indexOf(idOf(side, flow[side]));
  return [...flows].sort(
    (a, b) => rank('from', a) - rank('from', b) || rank('to', a) - rank('to', b),
  );
}

/** The bar that an end is drawn as: its own, or that of the others. */
export function barOf(picture: Picture, side: Side, end: End): string {
  const bars = picture[side];
  const own = bars.find((bar) => bar.id === idOf(side, end));
  return (own ?? bars.find((bar) => bar.end.kind === 'others'))?.id ?? '';
}

/** The outline of a ribbon across a picture of this width. */
export function outline({ leaves, reaches }: Ribbon, width: number): string {
  const half = width / 2;
  const there = `M0 ${leaves[0]}C${half} ${leaves[0]} ${half} ${reaches[0]} ${width} ${reaches[0]}`;
  const back = `V${reaches[1]}C${half} ${reaches[1]} ${half} ${leaves[1]} 0 ${leaves[1]}Z`;
  return there + back;
}

/** The flows with the smaller queues of one side taken as one, where there are too many. */
function gathered(flows: Flow[], side: Side): Flow[] {
  const queues = endsOf(flows, side).filter((bar) => bar.end.kind === 'queue');
  if (queues.length <= QUEUES_MAX) return flows;
  const small = new Set(queues.slice(QUEUES_MAX - 1).map((bar) => bar.id));
  const others: End = { kind: 'others', name: `${small.size} others` };
  const merged = new Map<string, Flow>();
  for (const flow of flows) {
    const next = small.has(idOf(side, flow[side])) ? { ...flow, [side]: others } : flow;
    const id = idOf('from', next.from) + idOf('to', next.to);
    merged.set(id, { ...next, milli: next.milli + (merged.get(id)?.milli ?? 0) });
  }
  return [...merged.values()];
}

type Sized = Omit<Bar, 'at'>;

/** All ends of one side, largest first. */
function endsOf(flows: Flow[], side: Side): Sized[] {
  const ends = new Map<string, Sized>();
  for (const flow of flows) {
    const end = flow[side];
    const id = idOf(side, end);
    ends.set(id, { id, end, milli: flow.milli + (ends.get(id)?.milli ?? 0) });
  }
  const order = ({ end }: Sized) => ORDER.indexOf(end.kind);
  return [...ends.values()].sort(
    (a, b) => order(a) - order(b) || b.milli - a.milli || compare(a.end.name, b.end.name),
  );
}

/** Borrowers as high as their lenders are on average, so that few ribbons cross. */
function untangled(takers: Sized[], givers: Sized[], flows: Flow[]): Sized[] {
  const place = new Map(givers.map((bar, index) => [bar.id, index]));
  const mean = (taker: Sized) => {
    const mine = flows.filter((flow) => idOf('to', flow.to) === taker.id);
    const sum = mine.reduce(
      (sum, flow) => sum + flow.milli * place.get(idOf('from', flow.from))!,
      0,
    );
    // In coarse steps: those who have of all in proportion stay in the order of their size.
    return Math.round((10 * sum) / taker.milli);
  };
  const means = new Map(takers.map((taker) => [taker.id, mean(taker)]));
  return [...takers].sort((a, b) => means.get(a.id)! - means.get(b.id)!);
}

type Sketched = Sized & { height: number };

function sketched(bars: Sized[]): Sketched[] {
  const whole = bars.reduce((sum, bar) => sum + bar.milli, 0);
  return bars.map((bar) => ({
    ...bar,
    height: Math.max(BAR_PX_MIN, (FLOW_PX * bar.milli) / whole),
  }));
}

const roomOf = (bar: Sketched): number => Math.max(WORDS_PX, bar.height + 8);

const heightOf = (bars: Sketched[]): number => bars.reduce((sum, bar) => sum + roomOf(bar), 0);

/** One below the other, the shorter column with more room between. */
function placed(bars: Sketched[], height: number): Bar[] {
  const spare = (height - heightOf(bars)) / bars.length;
  let at = 0;
  return bars.map(({ height, ...bar }) => {
    const room = roomOf({ ...bar, height }) + spare;
    const top = at + (room - height) / 2;
    at += room;
    return { ...bar, at: [top, top + height] };
  });
}

/** Ribbons leave and reach a bar in the order of their other ends, so that few of them cross. */
function ribbonsOf(flows: Flow[], from: Bar[], to: Bar[]): Ribbon[] {
  const milli = new Map(flows.map((flow) => [pairOf(flow.from, flow.to), flow.milli]));
  const filled = new Map<string, number>();
  const next = (bar: Bar, part: number): Stretch => {
    const [top, bottom] = bar.at;
    const before = filled.get(bar.id) ?? 0;
    filled.set(bar.id, before + part);
    const height = (part: number) => top + ((bottom - top) * part) / bar.milli;
    return [height(before), height(before + part)];
  };
  return from.flatMap((giver) =>
    to.flatMap((taker) => {
      const part = milli.get(pairOf(giver.end, taker.end));
      if (part === undefined) return [];
      const [leaves, reaches] = [next(giver, part), next(taker, part)];
      return [{ from: giver.id, to: taker.id, milli: part, leaves, reaches }];
    }),
  );
}

const pairOf = (from: End, to: End): string => idOf('from', from) + idOf('to', to);
