import { describe, expect, it } from 'vitest';
import type { ClusterSpec } from '../../api/types';
import { differences } from './diff';
import {
  inGpus,
  inMinutes,
  inPercent,
  withBounds,
  withGpus,
  withIdle,
  withNewQueue,
  withoutQueue,
  withQueue,
} from './form';

const quota = { gpus: null, models: { H100: 2000 }, cpus: 4000, memory: null };
const policy = {
  levels: ['rack'],
  queues: [
    { name: 'a', weight: 1, guarantee: quota, limit: quota },
    { name: 'b', weight: 2 },
  ],
} as unknown as ClusterSpec;

describe('the form of the policy', () => {
  it('changes GPUs and leaves what else a quota has', () => {
    const changed = withQueue(policy, 'a', { guarantee: withGpus(quota, '1.5') });
    expect(differences(policy, changed)).toEqual([
      { path: 'queues[a].guarantee.gpus', before: 'null', after: '1500' },
    ]);
    expect(inGpus(withGpus(quota, '1.5'))).toBe('1.5');
    expect(withGpus({ ...quota, gpus: 8000 }, ' ')).toEqual(quota);
    expect(withGpus(quota, 'many').gpus).toBeNull();
  });

  it('adds and takes away rules for idle jobs', () => {
    const rule = withBounds(withIdle(null, 'pause')!, { minutes: '30', percent: '' });
    expect(rule).toEqual({ after: 1_800_000, below_milli: 50, then: 'pause' });
    expect([inMinutes(rule), inPercent(rule)]).toEqual(['30', '5']);
    expect(withBounds(rule, { minutes: 'soon', percent: '2.5' }).below_milli).toBe(25);
    const ruled = withQueue(policy, 'b', { idle: rule });
    expect(ruled.queues![1]).toEqual({ name: 'b', weight: 2, idle: rule });
    expect(withQueue(ruled, 'b', { idle: withIdle(rule, '') })).toEqual(policy);
  });

  it('adds a queue once, and takes one away', () => {
    const more = withNewQueue(policy, 'c');
    expect(more.queues!.map((queue) => queue.name)).toEqual(['a', 'b', 'c']);
    expect(withNewQueue(more, 'c')).toBe(more);
    expect(withNewQueue(more, '')).toBe(more);
    expect(withoutQueue(more, 'c')).toEqual(policy);
  });
});
