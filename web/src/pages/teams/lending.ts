/** What is lent and borrowed: what queues leave of their guarantees, and what others take of it. */
import type { QueueView } from '../../api/types';

export type Flow = { name: string; milli: number; from: number; to: number };
/** GPUs that are in nobody's guarantee, and so anybody's. */
export const NOBODY = 'not guaranteed';
/** What is lent to those who are above the queues that are shown. */
export const UNUSED = 'elsewhere';

export type Lending = { lent: Flow[]; borrowed: Flow[]; most: number };

/**
 * Lenders and borrowers as stretches of one length: what is borrowed beyond what is lent comes from
 * GPUs that nobody is guaranteed. What is lent goes into one pot: the books do
 * not know whose GPU a borrower has, and so neither do we.
 */
export function lendingOf(queues: QueueView[]): Lending {
  const leaves = queues.filter(
    (queue) => !queues.some((other) => other.name.startsWith(`${queue.name}/`)),
  );
  const lenders = leaves.map((queue): [string, number] => [queue.name, queue.lent_milli ?? 0]);
  const borrowers = leaves.map((queue): [string, number] => [
    queue.name,
    queue.borrowed_milli ?? 0,
  ]);
  const sum = (parts: [string, number][]) => parts.reduce((sum, [, milli]) => sum + milli, 0);
  const free = sum(borrowers) - sum(lenders);
  const lent = stretched([...lenders, [NOBODY, Math.max(0, free)]]);
  const borrowed = stretched([...borrowers, [UNUSED, Math.max(0, -free)]]);
  return { lent, borrowed, most: lent.at(-1)?.to ?? 0 };
}

function stretched(parts: [string, number][]): Flow[] {
  const sorted = parts.filter(([, milli]) => milli > 0).sort((a, b) => b[1] - a[1]);
  let at = 0;
  return sorted.map(([name, milli]) => {
    const flow = { name, milli, from: at, to: at + milli };
    at += milli;
    return flow;
  });
}

/** How far below the root a queue is. */
export function depthOf(queue: QueueView): number {
  return queue.name.split('/').length - 1;
}
