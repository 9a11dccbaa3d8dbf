/** Who lends to whom: what queues leave of their guarantees, and what others take of it. */
import type { QueueView } from '../../api/types';

export type Flow = { name: string; milli: number; from: number; to: number };
export type Lending = { lent: Flow[]; borrowed: Flow[]; most: number };

/**
 * Lenders and borrowers as stretches of one length. What is lent goes into one pot: the books do
 * not know whose GPU a borrower has, and so neither do we.
 */
export function lendingOf(queues: QueueView[]): Lending {
  const leaves = queues.filter(
    (queue) => !queues.some((other) => other.name.startsWith(`${queue.name}/`)),
  );
  const lent = stretched(leaves.map((queue) => [queue.name, queue.lent_milli ?? 0]));
  const borrowed = stretched(leaves.map((queue) => [queue.name, queue.borrowed_milli ?? 0]));
  const end = (flows: Flow[]) => flows.at(-1)?.to ?? 0;
  return { lent, borrowed, most: Math.max(end(lent), end(borrowed)) };
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
