import { expect, it } from 'vitest';
import { compare } from './list';

it('sorts figures by size and names by their numbers', () => {
  expect(['node-10', 'node-9', 'node-1'].sort(compare)).toEqual(['node-1', 'node-9', 'node-10']);
  expect([10, 9, 100].sort(compare)).toEqual([9, 10, 100]);
});
