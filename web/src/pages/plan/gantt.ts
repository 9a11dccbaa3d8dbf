/** Where the bars of the plan are: moments as parts of the width that is shown. */
import type { PlannedEnd, PlannedStart, PlanView } from '../../api/types';
import { millis } from '../../format';

export type Range = { from: number; to: number };
export type Piece = {
  kind:
    | 'past'
    | 'expected'
    | 'unsure'
    | 'held'
    | 'start-unsure'
    | 'start-backfill'
    | 'would-run'
    | 'bound'
    | 'open';
  /** In per cent of the width. */
  left: number;
  width: number;
};

const HOUR = 3_600_000;

/** How far ahead one can look, by name. */
export const AHEAD: [string, number][] = [
  ['1h', HOUR],
  ['6h', 6 * HOUR],
  ['1d', 24 * HOUR],
  ['1w', 168 * HOUR],
];

/** From a quarter of the span before now. */
export function rangeOf(now: number, ahead: number): Range {
  return { from: now - ahead / 4, to: now + ahead };
}

/** The span that shows most of what is planned and no more. */
export function aheadOf(plan: PlanView, now: number): number {
  const starts = plan.next.flatMap((job) =>
    job.starts_expected ? [millis(job.starts_expected)] : [],
  );
  const ends = plan.running.flatMap((job) =>
    job.ends_expected ? [millis(job.ends_expected)] : [],
  );
  const all = [...starts, ...ends].sort((a, b) => a - b);
  const far = (all[Math.floor(all.length * 0.8)] ?? now + HOUR) - now;
  return (AHEAD.find(([, span]) => span >= far) ?? AHEAD.at(-1)!)[1];
}

export function placeOf(at: number, range: Range): number {
  return (100 * (at - range.from)) / (range.to - range.from);
}

/** A running job: what has been, until it probably ends, and until it must. */
export function runningPieces(job: PlannedEnd, now: number, range: Range): Piece[] {
  const started = job.started ? millis(job.started) : now;
  const expected = job.ends_expected ? Math.max(now, millis(job.ends_expected)) : null;
  const latest = job.ends_latest ? Math.max(expected ?? now, millis(job.ends_latest)) : null;
  const pieces = [piece('past', started, now, range)];
  if (expected !== null) pieces.push(piece('expected', now, expected, range));
  else if (latest === null) pieces.push(piece('open', now, range.to, range));
  if (latest !== null) pieces.push(piece('unsure', expected ?? now, latest, range));
  return pieces.filter((piece) => piece !== null);
}

/**
 * A job that waits: since when nodes are held for it, when it probably starts and ends, and the
 * bound by which it will have started. One that passes another is drawn as what it is.
 */
export function nextPieces(job: PlannedStart, now: number, range: Range): Piece[] {
  const expected = job.starts_expected ? Math.max(now, millis(job.starts_expected)) : null;
  const bound = job.starts_latest ? Math.max(expected ?? now, millis(job.starts_latest)) : null;
  const pieces: (Piece | null)[] = [];
  if (job.held_since) {
    pieces.push(piece('held', millis(job.held_since), expected ?? bound ?? range.to, range));
  }
  if (expected !== null) {
    const kind = job.passes == null ? 'start-unsure' : 'start-backfill';
    pieces.push(piece(kind, expected, bound ?? range.to, range));
    if (job.runs_ms) pieces.push(piece('would-run', expected, expected + job.runs_ms, range));
  }
  if (bound !== null) pieces.push(piece('bound', bound, bound, range));
  return pieces.filter((piece) => piece !== null);
}

/** A piece of time as far as it is within the range; null where it is not. */
export function piece(kind: Piece['kind'], from: number, to: number, range: Range): Piece | null {
  const left = Math.max(0, placeOf(from, range));
  const right = Math.min(100, placeOf(to, range));
  if (right < 0 || left > 100 || right < left) return null;
  return { kind, left, width: Math.max(right - left, 0.3) };
}

/** Round moments along the range, about so many. */
export function ticksOf(range: Range, wanted: number): number[] {
  const steps = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880].map((step) => step * 60_000);
  const step = steps.find((step) => (range.to - range.from) / step <= wanted) ?? steps.at(-1)!;
  const offset = new Date(range.from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((range.from - offset) / step) * step + offset;
  const ticks: number[] = [];
  for (let at = first; at <= range.to; at += step) ticks.push(at);
  return ticks;
}
