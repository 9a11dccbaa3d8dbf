/** Books of queues for tests: kept by the rule of the server, or made up. */
import type { QueueView } from '../../api/types';
import { inProportion } from './lending';

export type Books = QueueView[];
/** A queue: its name, what it alone is guaranteed, and what it uses where it is a leaf. */
export type Row = [name: string, guarantee: number, used: number];

/** Whole numbers below a bound, the same for the same seed. */
export function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // An additive step and a mix of its bits: short, and random enough to vary a tree.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

/** The books as the server keeps them: used and guaranteed add up, siblings lend in proportion. */
export function booksOf(rows: Row[]): Books {
  const childrenOf = (name: string) => rows.filter((row) => parentOf(row[0]) === name);
  const used = (row: Row): number =>
    childrenOf(row[0]).reduce((sum, child) => sum + used(child), row[2]);
  const guarantee = (row: Row): number =>
    Math.max(
      row[1],
      childrenOf(row[0]).reduce((sum, child) => sum + guarantee(child), 0),
    );
  const borrowed = (row: Row) => Math.max(0, used(row) - guarantee(row));
  const unused = (row: Row) => Math.max(0, guarantee(row) - used(row));
  return rows.map((row) => {
    const siblings = childrenOf(parentOf(row[0]));
    const wanted = siblings.reduce((sum, sibling) => sum + borrowed(sibling), 0);
    const lent = inProportion(wanted, siblings.map(unused))[siblings.indexOf(row)];
    return {
      name: row[0],
      guarantee_milli: guarantee(row),
      used_milli: used(row),
      borrowed_milli: borrowed(row),
      lent_milli: lent,
    } as QueueView;
  });
}

/** A tree of up to three levels with random guarantees and use. */
export function randomBooks(next: (below: number) => number): Books {
  const most = [3, 10, 5000][next(3)]!;
  return booksOf(
    randomNames(next).map(({ name, isLeaf }): Row => {
      const guarantee = next(3) === 0 ? 0 : next(most * (isLeaf ? 1 : 3));
      return [name, guarantee, isLeaf && next(4) > 0 ? next(most * 2) : 0];
    }),
  );
}

/** A tree whose leaves lend or borrow what they like. */
export function randomFigures(next: (below: number) => number): Books {
  return randomNames(next).map(({ name, isLeaf }) => {
    const isLender = next(2) === 0;
    return {
      name,
      lent_milli: isLeaf && isLender ? next(20) : 0,
      borrowed_milli: isLeaf && !isLender ? next(20) : 0,
    } as QueueView;
  });
}

function randomNames(next: (below: number) => number): { name: string; isLeaf: boolean }[] {
  const names: { name: string; isLeaf: boolean }[] = [];
  const grow = (parent: string, depth: number) => {
    for (let index = 0; index <= next(4); index += 1) {
      const name = `${parent}${'abcd'[index]}`;
      const isLeaf = depth === 2 || next(2) === 0;
      names.push({ name, isLeaf });
      if (!isLeaf) grow(`${name}/`, depth + 1);
    }
  };
  grow('', 0);
  return names;
}

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));
