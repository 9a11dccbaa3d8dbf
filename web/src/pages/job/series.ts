/** What a job held and used over time, as lines. */
import type { JobUsage } from '../../api/types';
import { millis } from '../../format';

export type Series = { times: number[]; held: number[]; active: (number | null)[] };

/** Mean GPUs held and active in each part of the series, drawn at its middle. */
export function seriesOf(series: JobUsage['series']): Series {
  const out: Series = { times: [], held: [], active: [] };
  for (const { from, to, held_gpu_ms, active_gpu_ms } of series) {
    const length = millis(to) - millis(from);
    if (length <= 0) continue;
    out.times.push(millis(from) + length / 2);
    out.held.push(held_gpu_ms / length);
    out.active.push(active_gpu_ms == null ? null : active_gpu_ms / length);
  }
  return out;
}
