import { describe, expect, it } from 'vitest';
import type { QueueView } from '../../api/types';
import { depthOf, lendingOf, NOBODY } from './lending';

const queue = (name: string, lent: number, borrowed: number) =>
  ({ name, lent_milli: lent, borrowed_milli: borrowed }) as QueueView;

describe('lending', () => {
  it('lays lenders and borrowers end to end, largest first', () => {
    const { lent, borrowed, most } = lendingOf([
      queue('a', 2000, 0),
      queue('b', 5000, 0),
      queue('c', 0, 8000),
      queue('d', 0, 0),
    ]);
    expect(lent.map((flow) => [flow.name, flow.from, flow.to])).toEqual([
      ['b', 0, 5000],
      ['a', 5000, 7000],
      [NOBODY, 7000, 8000],
    ]);
    expect(borrowed.map((flow) => flow.name)).toEqual(['c']);
    expect(most).toBe(8000);
  });

  it('counts what a parent has through its children once', () => {
    const { lent } = lendingOf([queue('a', 4000, 0), queue('a/x', 4000, 0)]);
    expect(lent.map((flow) => flow.name)).toEqual(['a/x']);
    expect(depthOf(queue('a/x', 0, 0))).toBe(1);
  });
});
