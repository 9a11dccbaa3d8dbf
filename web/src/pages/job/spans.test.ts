import { describe, expect, it } from 'vitest';
import type { EventView, JobView } from '../../api/types';
import { lifeOf, totals } from './spans';

const at = (second: number) => new Date(second * 1000).toISOString();
const event = (id: number, second: number, kind: string): EventView => ({
  id,
  at: at(second),
  kind,
  job: 1,
  text: kind,
});
const job = (part: Partial<JobView>) =>
  ({ id: 1, submitted: at(0), state: 'running', ...part }) as JobView;

describe('the life of a job', () => {
  it('is made of spans without gaps from its submission to its end', () => {
    const events = [
      event(5, 60, 'job-completed'),
      event(4, 20, 'job-running'),
      event(3, 18, 'job-launching'),
      event(2, 10, 'job-queued'),
      event(1, 0, 'job-submitted'),
    ];
    const spans = lifeOf(job({ state: 'ended', ended: at(60) }), events, 99_000);
    expect(spans.map((span) => [span.kind, span.from, span.to])).toEqual([
      ['waiting', 0, 10_000],
      ['queued', 10_000, 18_000],
      ['launching', 18_000, 20_000],
      ['running', 20_000, 60_000],
    ]);
  });

  it('goes on until now while the job does, pauses and all', () => {
    const events = [
      event(1, 0, 'job-queued'),
      event(2, 5, 'job-running'),
      event(3, 15, 'job-paused'),
      event(4, 18, 'job-resuming'),
      event(5, 20, 'job-running'),
    ];
    const sums = totals(lifeOf(job({}), events, 30_000));
    expect(sums.get('running')).toBe(20_000);
    expect(sums.get('paused')).toBe(3_000);
  });

  it('is told by its moments where the events are forgotten', () => {
    const spans = lifeOf(job({ started: at(7), ended: at(9) }), [], 99_000);
    expect(spans.map((span) => span.kind)).toEqual(['waiting', 'running']);
  });
});
