import { expect, it } from 'vitest';
import { bestByLevel, freeWords } from './largest';

it('shows the best domain of each level, widest first', () => {
  const rows = bestByLevel(
    [
      { level: 'node', domain: ['b1', 'r1', 'n1'], gpus: 6 },
      { level: 'rack', domain: ['b1', 'r1'], gpus: 12 },
      { level: 'rack', domain: ['b2', 'r7'], gpus: 14 },
      { level: 'cluster', gpus: 30 },
    ],
    ['block', 'rack'],
  );
  expect(rows.map((row) => [row.level, row.domain?.at(-1), row.gpus])).toEqual([
    ['cluster', undefined, 30],
    ['rack', 'r7', 14],
    ['node', 'n1', 6],
  ]);
});

it('counts free GPUs as people say it', () => {
  expect([0, 1, 12].map(freeWords)).toEqual([
    'no GPU is free',
    '1 GPU is free',
    '12 GPUs are free',
  ]);
});
