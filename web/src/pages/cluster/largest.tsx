/** Fragmentation as what it is: the largest gang that could start now, level by level. */
import type { LargestGang } from '../../api/types';
import { count, counted } from '../../format';
import { freeGpus, type MapState } from '../../map/state';
import { Bar, Panel } from '../../parts/parts';

/** The best domain of each level, widest level first. */
export function bestByLevel(largest: LargestGang[], levels: string[]): LargestGang[] {
  const best = new Map<string, LargestGang>();
  for (const entry of largest) {
    const known = best.get(entry.level);
    if (!known || entry.gpus > known.gpus) best.set(entry.level, entry);
  }
  const order = ['cluster', ...levels, 'node'];
  return order.flatMap((level) => best.get(level) ?? []);
}

export const freeWords = (free: number) =>
  free === 0 ? 'no GPU is free' : `${counted(free, 'GPU')} ${free === 1 ? 'is' : 'are'} free`;

export function Largest({ state }: { state: MapState }) {
  const rows = bestByLevel(state.largest, state.levels);
  const free = state.nodes.reduce((sum, node) => sum + freeGpus(node), 0);
  return (
    <Panel title="Largest gang that could start now" note={freeWords(free)}>
      <table class="largest">
        <thead class="hidden-text">
          <tr>
            <th>within</th>
            <th>where</th>
            <th>GPUs</th>
            <th>of those free</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.level}>
              <td class="nowrap">{row.level === 'cluster' ? 'anywhere' : `in one ${row.level}`}</td>
              <td class="quiet">{row.gpus > 0 ? row.domain?.at(-1) : ''}</td>
              <td class="right">
                <strong>{count(row.gpus)}</strong>
              </td>
              <td class="wide">
                <Bar part={row.gpus} whole={Math.max(free, 1)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
