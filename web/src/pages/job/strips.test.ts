import { describe, expect, it } from 'vitest';
import { stretches, taskWords } from './strips';

describe('strips', () => {
  it('join neighbours that look alike and keep what was not measured apart', () => {
    expect(stretches([900, 904, 0, 200, null, null, 0])).toEqual([
      { from: 0, to: 2, percent: 90 },
      { from: 2, to: 3, percent: 0 },
      { from: 3, to: 4, percent: 20 },
      { from: 4, to: 6, percent: null },
      { from: 6, to: 7, percent: 0 },
    ]);
    expect(stretches([])).toEqual([]);
  });

  it('name tasks by rank, and by group where there are several', () => {
    expect(taskWords([{ group: 0, rank: 3 }])).toBe('3');
    expect(
      taskWords([
        { group: 0, rank: 3 },
        { group: 1, rank: 0 },
      ]),
    ).toBe('3, 1/0');
    expect(taskWords([])).toBe('–');
  });
});
