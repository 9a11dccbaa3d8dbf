import { describe, expect, it } from 'vitest';
import type { Funnel } from '../../api/types';
import { lossesOf, stepsOf } from './funnel';

const funnel: Funnel = {
  paid: 100,
  unallocated: { idle: 15, unusable: 5 },
  allocated: 80,
  active: 60,
  idle: 12,
  unmeasured: 8,
  useful: 50,
  lost: { failed: 6, paused: 0, cancelled: 2 },
  overhead: 2,
};

describe('the funnel', () => {
  it('narrows from step to step', () => {
    const steps = stepsOf(funnel).map((step) => step.gpuMs);
    expect(steps).toEqual([100, 80, 60, 50]);
  });

  it('names every loss between paid and useful, largest first', () => {
    const losses = lossesOf(funnel);
    expect(losses[0]!.gpuMs).toBe(15);
    expect(losses.reduce((sum, loss) => sum + loss.gpuMs, 0)).toBe(100 - 50);
    expect(losses.some((loss) => loss.name.includes('pauses'))).toBe(false);
  });
});
