import { describe, expect, it } from 'vitest';
import type { QueueView } from '../../api/types';
import { type Books, booksOf, generator, randomBooks, randomFigures } from './fixture';
import { depthOf, type End, type Flow, flowsOf, inProportion } from './lending';

const TREES = 2000;

const queue = (name: string, lent: number, borrowed: number) =>
  ({ name, lent_milli: lent, borrowed_milli: borrowed }) as QueueView;

const words = (flows: Flow[]) =>
  flows.map(({ from, to, milli }) => `${said(from)} > ${said(to)} ${milli}`);
const said = (end: End) => (end.kind === 'undivided' ? `rest of ${end.name}` : end.name);

describe('who lends to whom', () => {
  it('has each borrower take of each lender in proportion', () => {
    const flows = flowsOf([queue('a', 6, 0), queue('b', 3, 0), queue('c', 0, 6), queue('d', 0, 3)]);
    expect(words(flows)).toEqual(['a > c 4', 'a > d 2', 'b > c 2', 'b > d 1']);
  });

  it('goes to siblings first and up with what they leave', () => {
    const books = booksOf([
      ['lab', 10, 0],
      ['lab/x', 4, 0],
      ['lab/y', 4, 6],
      ['shop', 2, 6],
    ]);
    // Of four that x leaves y has two; of four that the lab leaves the shop has all.
    expect(words(flowsOf(books))).toEqual(['lab/x > lab/y 2', 'lab > shop 4']);
  });

  it('has children use what their parent is guaranteed and none of them is', () => {
    const books = booksOf([
      ['lab', 4, 0],
      ['lab/x', 0, 6],
      ['shop', 1, 0],
    ]);
    expect(words(flowsOf(books))).toEqual([
      'rest of lab > lab/x 4',
      'shop > lab/x 1',
      'not guaranteed > lab/x 1',
    ]);
  });

  it('says what nobody takes, and takes it to the next level before', () => {
    const flows = flowsOf([
      queue('lab', 0, 0),
      queue('lab/x', 5, 0),
      queue('lab/y', 0, 2),
      queue('shop', 0, 1),
    ]);
    expect(words(flows)).toEqual(['lab/x > lab/y 2', 'lab/x > shop 1', 'lab/x > not used 2']);
  });

  it('has nothing to say of a cluster in which each has its own', () => {
    expect(flowsOf([])).toEqual([]);
    expect(flowsOf(booksOf([['a', 8, 8]]))).toEqual([]);
    expect(depthOf(queue('a/x', 0, 0))).toBe(1);
  });

  it('pairs the books of any tree exactly, nearest first', () => {
    const next = generator(1);
    for (let tree = 0; tree < TREES; tree += 1) {
      const books = randomBooks(next);
      const flows = flowsOf(books);
      const faults = books.flatMap(({ name, lent_milli, borrowed_milli }) => {
        const lends = total(flows, (flow) => isOf(flow.from, name));
        const [comes, goes] = crossing(flows, name);
        return [
          ...(lends === lent_milli ? [] : [`${name} lends ${lends}`]),
          ...(comes === borrowed_milli ? [] : [`${name} borrows ${comes}`]),
          ...(comes > 0 && goes > 0 ? [`${name} lends what it needs`] : []),
        ];
      });
      judge(books, flows, [...faults, ...inexact(books, flows)]);
    }
  });

  it('pairs whatever leaves say they lend and borrow', () => {
    const next = generator(2);
    for (let tree = 0; tree < TREES; tree += 1) {
      const figures = randomFigures(next);
      const flows = flowsOf(figures);
      const isShort = flows.some((flow) => flow.from.kind === 'free');
      const isLeft = flows.some((flow) => flow.to.kind === 'unused');
      const faults = isShort && isLeft ? ['something is left and not taken'] : [];
      judge(figures, flows, [...faults, ...inexact(figures, flows)]);
    }
  });

  it('divides exactly, also what has too many digits', () => {
    expect(inProportion(10, [1, 1, 1])).toEqual([1, 1, 1]);
    expect(inProportion(2, [1, 1, 1])).toEqual([1, 1, 0]);
    expect(inProportion(-1, [5])).toEqual([0]);
    const large = inProportion(999_999_999, [500_000_001, 500_000_000, 3]);
    expect(large).toEqual([499_999_998, 499_999_998, 3]);
  });
});

function judge(queues: Books, flows: Flow[], faults: string[]) {
  if (faults.length === 0) return;
  expect.fail(JSON.stringify({ faults, flows: words(flows), queues }, null, 1));
}

/** Where a leaf gives other than it lends, has other than it borrows, or has it of itself. */
function inexact(queues: Books, flows: Flow[]): string[] {
  const faults = flows
    .filter(
      ({ from, to, milli }) => !Number.isInteger(milli) || milli <= 0 || said(from) === said(to),
    )
    .map((flow) => `no flow: ${words([flow])}`);
  const pairs = new Set(flows.map((flow) => `${said(flow.from)} > ${said(flow.to)}`));
  if (pairs.size < flows.length) faults.push('a pair is told twice');
  for (const { name, lent_milli, borrowed_milli } of queues) {
    if (queues.some((other) => other.name.startsWith(`${name}/`))) continue;
    const gives = total(flows, (flow) => isOf(flow.from, name));
    const takes = total(flows, (flow) => isOf(flow.to, name));
    if (gives !== lent_milli) faults.push(`${name} gives ${gives}`);
    if (takes !== borrowed_milli) faults.push(`${name} takes ${takes}`);
  }
  return faults;
}

const isOf = (end: End, name: string) => end.kind === 'queue' && end.name === name;

/** What comes into a queue and those below it from elsewhere, and what goes out. */
function crossing(flows: Flow[], name: string): [number, number] {
  const isWithin = ({ name: other }: End) => other === name || other.startsWith(`${name}/`);
  return [
    total(flows, (flow) => !isWithin(flow.from) && isWithin(flow.to)),
    total(flows, (flow) => isWithin(flow.from) && !isWithin(flow.to)),
  ];
}

const total = (flows: Flow[], counts: (flow: Flow) => boolean) =>
  flows.filter(counts).reduce((sum, flow) => sum + flow.milli, 0);
