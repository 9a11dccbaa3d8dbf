/** What is under the pointer, in words. */
import { gpus } from '../../format';
import type { Spot } from '../../map/find';
import { freeGpus, type MapState } from '../../map/state';
import type { Size } from '../../map/view';
import { lookOf } from '../../parts/states';

type Props = { state: MapState; spot: Spot; x: number; y: number; screen: Size };

export function Tip({ state, spot, x, y, screen }: Props) {
  const node = state.nodes[spot.node]!;
  const held = spot.gpu === null ? [] : node.held.filter((held) => held.gpu === spot.gpu);
  const isSick = spot.gpu !== null && node.unhealthy.includes(spot.gpu);
  const style = {
    left: x < screen.width - 300 ? `${x + 14}px` : 'auto',
    right: x < screen.width - 300 ? 'auto' : `${screen.width - x + 14}px`,
    top: y < screen.height - 130 ? `${y + 14}px` : 'auto',
    bottom: y < screen.height - 130 ? 'auto' : `${screen.height - y + 14}px`,
  };
  return (
    <div class="tooltip" style={style} aria-hidden="true">
      <strong>
        {node.name}
        {spot.gpu !== null && ` · GPU ${spot.gpu}`}
      </strong>
      <div class="quiet">
        {[...node.domains, node.model].filter(Boolean).join(' · ')}
        {node.domains.length > 0 || node.model ? ' · ' : ''}
        {freeGpus(node)} of {node.gpus} free
      </div>
      {node.drained && <div>drained: gets nothing new</div>}
      {node.state !== 'up' && <div>not seen: its lease runs out or has</div>}
      {isSick && <div>this GPU reports errors</div>}
      {held.map((held) => {
        const job = state.jobs.get(held.job);
        return (
          <div key={held.job}>
            job {held.job} {job && `${job.name} · ${job.user} · ${gpus(job.gpus_milli)} GPUs`}
            {job && job.state !== 'running' && ` · ${lookOf({ state: job.state }).word}`}
            {held.milli < 1000 && ` · ${held.milli / 10}% of this one`}
            {held.busy != null && ` · ${Math.round(held.busy / 10)}% busy`}
          </div>
        );
      })}
      {spot.gpu !== null && held.length === 0 && !isSick && <div>free</div>}
    </div>
  );
}
