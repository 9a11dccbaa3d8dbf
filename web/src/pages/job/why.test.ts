import { describe, expect, it } from 'vitest';
import type { WhyView } from '../../api/types';
import { readWhy, startWords } from './why';

describe('why a job waits', () => {
  it('is taken apart without losing a line', () => {
    const why = readWhy({
      job: 45,
      text:
        'job 45 is queued\nbecause: needs 32 GPUs; 1 are free\nbecause: has 4 nodes reserved\n' +
        'probably starts at 2026-11-16T12:27:41.143Z\n' +
        'starts at 2030-09-03T16:41:50.175Z at the latest\n' +
        'would start now with 1 task, 8 GPUs in all\nsomething else to know',
      why: { estimated_start: 1000, latest_start: 2000 } as unknown as WhyView['why'],
    });
    expect(why).toEqual({
      reasons: ['needs 32 GPUs; 1 are free', 'has 4 nodes reserved'],
      helps: ['now with 1 task, 8 GPUs in all'],
      remarks: ['something else to know'],
      expected: 1000,
      latest: 2000,
    });
  });

  it('says when in words', () => {
    expect(startWords(10, 10)).toBe('now');
    expect(startWords(70_000, 10_000)).toMatch(/^in 1m, at /);
  });
});
