/** The life of a job as spans of time, from its events. */
import type { EventView, JobView } from '../../api/types';
import { millis } from '../../format';

export type SpanKind = 'waiting' | 'queued' | 'launching' | 'running' | 'paused' | 'stopping';
export type LifeSpan = { kind: SpanKind; from: number; to: number };

/** What begins with an event, by how its kind ends. */
const BEGINS: [RegExp, SpanKind | null][] = [
  [/submitted|waiting|held/, 'waiting'],
  [/queued|requeued|released/, 'queued'],
  [/launching|resuming|starting/, 'launching'],
  [/running|resumed|started/, 'running'],
  [/pausing|paused|suspended/, 'paused'],
  [/stopping/, 'stopping'],
  [/completed|failed|cancelled|timed-out|node-lost|ended|deadline-missed/, null],
];

/** Spans from first to last; the one that goes on ends now. Without events, by the job's moments. */
export function lifeOf(job: JobView, events: EventView[], now: number): LifeSpan[] {
  const spans: LifeSpan[] = [];
  const end = job.ended ? millis(job.ended) : now;
  let kind: SpanKind | null = 'waiting';
  let from = millis(job.submitted);
  const close = (to: number) => {
    if (kind && to > from) spans.push({ kind, from, to });
  };
  const ordered = [...events].sort((a, b) => a.id - b.id);
  for (const event of ordered) {
    const begins = BEGINS.find(([pattern]) => pattern.test(event.kind));
    if (!begins || begins[1] === kind) continue;
    const at = millis(event.at);
    close(at);
    kind = begins[1];
    from = at;
  }
  if (ordered.length === 0 && job.started) {
    close(millis(job.started));
    kind = 'running';
    from = millis(job.started);
  }
  close(Math.max(end, from));
  return spans;
}

/** How long it was in each, longest first is left to whoever shows it. */
export function totals(spans: LifeSpan[]): Map<SpanKind, number> {
  const sums = new Map<SpanKind, number>();
  for (const { kind, from, to } of spans) sums.set(kind, (sums.get(kind) ?? 0) + to - from);
  return sums;
}
