import { describe, expect, it } from 'vitest';
import type { JobView } from '../../api/types';
import { matches, pathOf, ran, readFilter, sorted, waited } from './filter';

const job = (part: Partial<JobView>): JobView => ({
  id: 1,
  name: 'train',
  user: 'ada',
  queue: 'vision',
  class: 'standard',
  state: 'running',
  tasks: 1,
  gpus_milli: 1000,
  models: [],
  attempt: 1,
  nodes: ['node-1'],
  submitted: '2026-11-16T12:00:00Z',
  ...part,
});

describe('the list of jobs', () => {
  it('is filtered by what stands in the address, whatever that is', () => {
    const filter = readFilter(new URLSearchParams('show=waiting&user=ada&sort=gpus.up'));
    expect(filter.group).toBe('waiting');
    expect(filter.sort).toEqual({ column: 'gpus', isUp: true });
    expect(pathOf(filter)).toBe('/v1/jobs?limit=200&reasons=true&state=waiting%2Cqueued&user=ada');
    const odd = readFilter(new URLSearchParams('show=nonsense&sort=constructor.up'));
    expect(odd.group).toBe('alive');
    expect(odd.sort.column).toBe('id');
  });

  it('is searched by words in any order', () => {
    const one = job({ id: 42, reason: 'no room in one rack' });
    expect(matches(one, 'ada TRAIN')).toBe(true);
    expect(matches(one, '42')).toBe(true);
    expect(matches(one, 'rack')).toBe(true);
    expect(matches(one, 'node-1')).toBe(true);
    expect(matches(one, 'ada eval')).toBe(false);
    expect(matches(one, '')).toBe(true);
  });

  it('is sorted by any column, newest first among equals', () => {
    const jobs = [
      job({ id: 1, gpus_milli: 8000 }),
      job({ id: 2, gpus_milli: 250 }),
      job({ id: 3, gpus_milli: 8000 }),
    ];
    const ids = (column: 'gpus' | 'id', isUp: boolean) =>
      sorted(jobs, { column, isUp }, 0).map((job) => job.id);
    expect(ids('gpus', false)).toEqual([3, 1, 2]);
    expect(ids('gpus', true)).toEqual([2, 3, 1]);
    expect(ids('id', true)).toEqual([1, 2, 3]);
  });

  it('tells waiting from running time', () => {
    const now = Date.parse('2026-11-16T12:10:00Z');
    const queued = job({ state: 'queued' });
    expect([waited(queued, now), ran(queued, now)]).toEqual([600_000, 0]);
    const running = job({ started: '2026-11-16T12:04:00Z' });
    expect([waited(running, now), ran(running, now)]).toEqual([240_000, 360_000]);
  });
});
