import { describe, expect, it } from 'vitest';
import {
  ago,
  aligned,
  clock,
  count,
  counted,
  gpuHours,
  gpus,
  memory,
  money,
  percent,
  span,
} from './format';

describe('quantities', () => {
  it('separates thousands without a sign that some read as a decimal one', () => {
    expect(count(1234567)).toBe('1\u202f234\u202f567');
    expect(counted(1, 'job')).toBe('1 job');
    expect(counted(1000, 'job')).toBe('1\u202f000 jobs');
  });

  it('shows parts of GPUs and whole ones', () => {
    expect(gpus(8000)).toBe('8');
    expect(gpus(250)).toBe('0.25');
    expect(gpus(142)).toBe('0.14');
  });

  it('writes figures that stand below each other with as many decimals', () => {
    expect(aligned([2_000_000, 8000])).toEqual(['2\u202f000', '8']);
    expect(aligned([2_000_000, 250])).toEqual(['2\u202f000.00', '0.25']);
    expect(aligned([1001, 500])).toEqual(['1.001', '0.500']);
    expect(aligned([])).toEqual([]);
  });

  it('never rounds something to nothing or most to all', () => {
    expect(percent(1, 1000)).toBe('<1%');
    expect(percent(9995, 10000)).toBe('>99%');
    expect(percent(0, 10)).toBe('0%');
    expect(percent(10, 10)).toBe('100%');
    expect(percent(1, 0)).toBe('–');
  });

  it('gives spans by their two largest units', () => {
    expect(span(0)).toBe('0s');
    expect(span(61_000)).toBe('1m 1s');
    expect(span(3_600_000)).toBe('1h');
    expect(span(90_061_000)).toBe('1d 1h');
    expect(ago(1_000, 61_000)).toBe('1m ago');
    expect(ago(61_000, 1_000)).toBe('in 1m');
    expect(ago(5, 5)).toBe('now');
  });

  it('gives GPU time in hours and money with its currency', () => {
    expect(gpuHours(0)).toBe('0');
    expect(gpuHours(1)).toBe('<0.01');
    expect(gpuHours(5_400_000)).toBe('1.50');
    expect(gpuHours(3_600_000 * 1234)).toBe('1\u202f234');
    expect(money(12_500_000, 'EUR')).toBe('12.50 EUR');
    expect(money(1_234_567_000_000, 'EUR')).toBe('1\u202f234\u202f567 EUR');
    expect(memory(512)).toBe('512 MiB');
    expect(memory(1536)).toBe('1.5 GiB');
  });

  it('gives the day only where it is another', () => {
    const now = Date.parse('2026-11-16T12:00:00Z');
    expect(clock(now - 1000, now, 'UTC')).toBe('11:59:59');
    expect(clock(now - 86_400_000, now, 'UTC')).toBe('2026-11-15 12:00:00');
  });
});
