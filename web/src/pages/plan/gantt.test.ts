import { describe, expect, it } from 'vitest';
import type { PlannedEnd, PlannedStart, PlanView } from '../../api/types';
import { aheadOf, nextPieces, piece, rangeOf, runningPieces, ticksOf } from './gantt';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-16T12:00:00Z');
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const range = rangeOf(NOW, 4 * HOUR);

describe('the chart of the plan', () => {
  it('shows a quarter of the past and all of what is ahead', () => {
    expect(range).toEqual({ from: NOW - HOUR, to: NOW + 4 * HOUR });
  });

  it('draws a running job in three parts that join', () => {
    const job = { started: at(-1), ends_expected: at(1), ends_latest: at(2) } as PlannedEnd;
    const pieces = runningPieces(job, NOW, range);
    expect(pieces).toEqual([
      { kind: 'past', left: 0, width: 20 },
      { kind: 'expected', left: 20, width: 20 },
      { kind: 'unsure', left: 40, width: 20 },
    ]);
  });

  it('never draws an end before now, and says openly where none is known', () => {
    const late = { started: at(-1), ends_expected: at(-0.5), ends_latest: at(1) } as PlannedEnd;
    const kinds = runningPieces(late, NOW, range).map((piece) => [piece.kind, piece.left]);
    expect(kinds).toEqual([
      ['past', 0],
      ['expected', 20],
      ['unsure', 20],
    ]);
    const open = runningPieces({ started: at(-1) } as PlannedEnd, NOW, range);
    expect(open.at(-1)).toEqual({ kind: 'open', left: 20, width: 80 });
  });

  it('draws from the expected start to the latest, and nothing without one', () => {
    const job = { starts_expected: at(1), starts_latest: at(3) } as PlannedStart;
    expect(nextPieces(job, NOW, range)).toEqual([
      { kind: 'start-unsure', left: 40, width: 40 },
      { kind: 'bound', left: 80, width: 0.3 },
    ]);
    const known = { ...job, runs_ms: HOUR };
    expect(nextPieces(known, NOW, range)[1]).toEqual({ kind: 'would-run', left: 40, width: 20 });
    expect(nextPieces({} as PlannedStart, NOW, range)).toEqual([]);
  });

  it('draws what is held for a job until it starts', () => {
    const job = { starts_expected: at(1), held_since: at(-0.5) } as PlannedStart;
    expect(nextPieces(job, NOW, range)[0]).toEqual({ kind: 'held', left: 10, width: 30 });
    const unsure = { held_since: at(0), starts_latest: at(2) } as PlannedStart;
    expect(nextPieces(unsure, NOW, range)).toEqual([
      { kind: 'held', left: 20, width: 40 },
      { kind: 'bound', left: 60, width: 0.3 },
    ]);
  });

  it('tells a start that passes another from one that is in order', () => {
    const job = { starts_expected: at(1), starts_latest: at(3) } as PlannedStart;
    expect(nextPieces({ ...job, passes: 7 }, NOW, range)[0]!.kind).toBe('start-backfill');
    expect(nextPieces(job, NOW, range)[0]!.kind).toBe('start-unsure');
  });

  it('leaves a bound beyond the range out', () => {
    const job = { starts_expected: at(1), starts_latest: at(30) } as PlannedStart;
    expect(nextPieces(job, NOW, range).map((piece) => piece.kind)).toEqual(['start-unsure']);
  });

  it('cuts what goes beyond, and leaves out what is elsewhere', () => {
    expect(piece('past', NOW - 9 * HOUR, NOW + 9 * HOUR, range)).toEqual({
      kind: 'past',
      left: 0,
      width: 100,
    });
    expect(piece('past', NOW - 9 * HOUR, NOW - 8 * HOUR, range)).toBeNull();
    expect(piece('past', NOW + 8 * HOUR, NOW + 9 * HOUR, range)).toBeNull();
  });

  it('looks as far ahead as most of the plan reaches', () => {
    const plan = { running: [], next: [{ starts_expected: at(5) }] } as unknown as PlanView;
    expect(aheadOf(plan, NOW)).toBe(6 * HOUR);
    expect(aheadOf({ running: [], next: [] } as unknown as PlanView, NOW)).toBe(HOUR);
  });

  it('has round ticks in order', () => {
    const ticks = ticksOf(range, 8);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks.length).toBeLessThanOrEqual(9);
    expect(ticks.every((tick) => tick % (30 * 60_000) === 0)).toBe(true);
  });
});
