/** Who lends to whom: the books of all queues as pairs. How they are drawn is said in `ribbons.ts`. */
import type { QueueView } from '../../api/types';

/**
 * Where GPUs come from or go to: a queue, what a queue is guaranteed and none of those below it is,
 * what nobody is guaranteed, or nobody at all.
 */
export type End = { kind: 'queue' | 'undivided' | 'free' | 'unused' | 'others'; name: string };
export type Flow = { from: End; to: End; milli: number };

export const FREE: End = { kind: 'free', name: 'not guaranteed' };
export const UNUSED: End = { kind: 'unused', name: 'not used' };

/** What a queue lends or borrows and has no partner for yet. */
type Part = { name: string; milli: number };
type Left = { lends: Part[]; borrows: Part[] };
type Below = Map<string, QueueView[]>;

/**
 * Pairs what is lent with what is borrowed, nearest first: siblings with each other, and what they
 * leave with the siblings of their parent. At one level all GPUs are alike, so that a borrower has
 * of each lender in proportion to what that one lends.
 */
export function flowsOf(queues: QueueView[]): Flow[] {
  const flows: Flow[] = [];
  const { lends, borrows } = settle('', belowOf(queues), flows);
  for (const { name, milli } of borrows) flows.push({ from: FREE, to: queueEnd(name), milli });
  for (const { name, milli } of lends) flows.push({ from: queueEnd(name), to: UNUSED, milli });
  return flows;
}

/** Whether some queue lends: what others have of their parents or of nobody is not lent. */
export const isLent = (flow: Flow): boolean => flow.from.kind === 'queue';

/** How far below the root a queue is. */
export function depthOf(queue: QueueView): number {
  return queue.name.split('/').length - 1;
}

/** The queues below each; those of which we know no parent are below nobody. */
function belowOf(queues: QueueView[]): Below {
  const names = new Set(queues.map((queue) => queue.name));
  const below: Below = new Map();
  for (const queue of queues) {
    let parent = parentOf(queue.name);
    while (parent !== '' && !names.has(parent)) parent = parentOf(parent);
    below.set(parent, [...(below.get(parent) ?? []), queue]);
  }
  return below;
}

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/** Pairs what is below a queue; what has no partner there goes up. */
function settle(parent: string, below: Below, flows: Flow[]): Left {
  const all = (below.get(parent) ?? []).map((queue) =>
    rise(queue, settle(queue.name, below, flows), flows),
  );
  const lends = all.flatMap((left) => left.lends);
  const borrows = all.flatMap((left) => left.borrows);
  return pair(lends, borrows, flows);
}

/**
 * What goes up from a queue. What it lends or borrows is that of those below it first. It borrows
 * only beyond its own guarantee: what they borrow and it does not, they have of that guarantee.
 */
function rise(queue: QueueView, left: Left, flows: Flow[]): Left {
  const lent = queue.lent_milli ?? 0;
  const borrowed = queue.borrowed_milli ?? 0;
  const wanted = left.borrows.map((part) => part.milli);
  const kept = inProportion(sum(wanted) - borrowed, wanted);
  const from: End = { kind: 'undivided', name: queue.name };
  for (const [index, milli] of kept.entries()) {
    if (milli > 0) flows.push({ from, to: queueEnd(left.borrows[index]!.name), milli });
  }
  const own = (milli: number): Part => ({ name: queue.name, milli });
  return {
    lends: some([...left.lends, own(lent - sum(left.lends.map((part) => part.milli)))]),
    borrows: some([...without(left.borrows, kept), own(borrowed - sum(wanted))]),
  };
}

/** Lends as much as is borrowed at one level, or all there is. */
function pair(lends: Part[], borrows: Part[], flows: Flow[]): Left {
  const offered = lends.map((part) => part.milli);
  const wanted = borrows.map((part) => part.milli);
  const gives = inProportion(sum(wanted), offered);
  const takes = inProportion(sum(offered), wanted);
  let open = takes;
  for (const [giver, given] of gives.entries()) {
    // Of what is still open, so that the last lender gives exactly what is missing.
    const parts = inProportion(given, open);
    open = open.map((milli, taker) => milli - parts[taker]!);
    for (const [taker, milli] of parts.entries()) {
      if (milli === 0) continue;
      const from = queueEnd(lends[giver]!.name);
      flows.push({ from, to: queueEnd(borrows[taker]!.name), milli });
    }
  }
  return { lends: some(without(lends, gives)), borrows: some(without(borrows, takes)) };
}

/**
 * An amount taken from each in proportion to what it has, or all that there is. What rounding
 * leaves over goes one by one to those who lost most by it: the sum is exact, and nobody gives more
 * than it has.
 */
export function inProportion(amount: number, have: number[]): number[] {
  const all = sum(have);
  if (amount <= 0 || all === 0) return have.map(() => 0);
  if (amount >= all) return [...have];
  // The product of two amounts of a large cluster has more digits than a number keeps.
  const products = have.map((own) => BigInt(own) * BigInt(amount));
  const parts = products.map((product) => Number(product / BigInt(all)));
  const lost = products.map((product) => Number(product % BigInt(all)));
  const order = have.map((_, index) => index).sort((a, b) => lost[b]! - lost[a]! || a - b);
  for (const index of order.slice(0, amount - sum(parts))) parts[index]! += 1;
  return parts;
}

const queueEnd = (name: string): End => ({ kind: 'queue', name });

const sum = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const some = (parts: Part[]): Part[] => parts.filter((part) => part.milli > 0);

const without = (parts: Part[], taken: number[]): Part[] =>
  parts.map((part, index) => ({ ...part, milli: part.milli - taken[index]! }));
