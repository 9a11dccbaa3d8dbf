/** What a job held and used over time, as lines. */
import type { JobUsage } from '../../api/types';
import { millis } from '../../format';

export type Series = { times: number[]; held: number[]; active: (number | null)[] };

/**
 * Mean GPUs held and active in each part of the series, drawn at its middle. What was not measured
 * counts as busy as the rest of its part, never as idle: the latest part is always measured late.
 */
export function seriesOf(series: JobUsage['series']): Series {
  const out: Series = { times: [], held: [], active: [] };
  for (const { from, to, held_gpu_ms: held, measured_gpu_ms: measured, active_gpu_ms } of series) {
    const length = millis(to) - millis(from);
    if (length <= 0) continue;
    out.times.push(millis(from) + length / 2);
    out.held.push(held / length);
    out.active.push(active_gpu_ms == null ? null : (active_gpu_ms / measured) * (held / length));
  }
  return out;
}
