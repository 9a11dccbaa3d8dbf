import { expect, it } from 'vitest';
import { type Flow, FREE } from './lending';
import { type Bar, outline, pictureOf, QUEUES_MAX } from './ribbons';

const flow = (from: string, to: string, milli: number): Flow => ({
  from: from === FREE.name ? FREE : { kind: 'queue', name: from },
  to: { kind: 'queue', name: to },
  milli,
});
const height = ({ at }: Bar) => at[1] - at[0];

it('draws bars in proportion, largest first, and what is nobody’s last', () => {
  const { from, to } = pictureOf([flow(FREE.name, 'c', 3), flow('a', 'c', 2), flow('b', 'd', 3)]);
  expect(from.map((bar) => bar.end.name)).toEqual(['b', 'a', FREE.name]);
  expect(
    to.map((bar) => bar.end.name),
    'so that nothing crosses',
  ).toEqual(['d', 'c']);
  expect(height(from[0]!)).toBeCloseTo(height(from[1]!) * 1.5);
  expect(height(to[1]!)).toBeCloseTo(height(from[0]!) + height(from[1]!));
});

it('fills each bar with its ribbons from top to bottom', () => {
  const picture = pictureOf([flow('a', 'c', 4), flow('a', 'd', 2), flow('b', 'c', 2)]);
  const leaving = picture.ribbons.filter((ribbon) => ribbon.from === picture.from[0]!.id);
  expect(leaving.map((ribbon) => ribbon.milli)).toEqual([2, 4]);
  expect(leaving[0]!.leaves[0]).toBeCloseTo(picture.from[0]!.at[0]);
  expect(leaving[0]!.leaves[1]).toBeCloseTo(leaving[1]!.leaves[0]);
  expect(leaving[1]!.leaves[1]).toBeCloseTo(picture.from[0]!.at[1]);
  expect(outline({ ...leaving[0]!, leaves: [0, 4], reaches: [8, 12] }, 10)).toBe(
    'M0 0C5 0 5 8 10 8V12C5 12 5 4 0 4Z',
  );
});

it('leaves room for the words of the smallest, within the picture', () => {
  const { from, to, height: whole } = pictureOf([flow('a', 'x', 99_999), flow('b', 'x', 1)]);
  const middle = ({ at }: Bar) => (at[0] + at[1]) / 2;
  expect(height(from[1]!)).toBeGreaterThanOrEqual(4);
  expect(middle(from[1]!) + 22).toBeLessThanOrEqual(whole);
  expect(middle(to[0]!)).toBeCloseTo(whole / 2);
});

it('takes the smaller of very many as one, and loses nothing', () => {
  const many = Array.from({ length: 30 }, (_, index) => flow(`q${index}`, 'x', 1000 - index));
  const { from, ribbons } = pictureOf(many);
  expect(from.length).toBe(QUEUES_MAX);
  expect(from.at(-1)!.end).toEqual({ kind: 'others', name: '23 others' });
  const sum = (parts: { milli: number }[]) => parts.reduce((sum, part) => sum + part.milli, 0);
  expect(sum(ribbons)).toBe(sum(many));
});
