/** How busy each GPU of a job was: the one that the others wait for comes first. */
import { useState } from 'preact/hooks';
import type { EventView, GpuActivity, JobActivity } from '../../api/types';
import { clock, count, millis, percent } from '../../format';
import { useResource } from '../../live/resource';
import { Empty, Panel, Shown } from '../../parts/parts';
import { nodeLink } from '../../route';
import { stretches, taskWords } from './strips';

/** GPUs that are shown before somebody asks for all that came. */
const FEW = 8;

type Props = { id: number; now: number; on: (event: EventView) => boolean };

export function Gpus({ id, now, on }: Props) {
  const activity = useResource<JobActivity>(`/v1/jobs/${id}/activity`, { on, everyMs: 15_000 });
  const [isWhole, setWhole] = useState(false);
  return (
    <Panel title="GPU by GPU" note="how busy each was over time, the least busy first">
      <Shown of={activity} what="readings">
        {({ gpus, more, from, to }) =>
          gpus.length === 0 ? (
            <Empty title="Nothing measured yet">Figures come while it holds GPUs.</Empty>
          ) : (
            <>
              <div class="scroll">
                <table class="gpus">
                  <thead>
                    <tr>
                      <th class="right">task</th>
                      <th>node</th>
                      <th class="right">GPU</th>
                      <th class="right">busy</th>
                      <th class="ends">
                        <span>{clock(millis(from), now)}</span>
                        <span>{clock(millis(to), now)}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {gpus.slice(0, isWhole ? undefined : FEW).map((gpu) => (
                      <Row key={`${gpu.node} ${gpu.gpu}`} gpu={gpu} />
                    ))}
                  </tbody>
                </table>
              </div>
              <p class="inside quiet">
                {gpus.length > FEW && (
                  <button type="button" class="plain" onClick={() => setWhole(!isWhole)}>
                    {isWhole ? 'Show fewer' : `Show all ${count(gpus.length)}`}
                  </button>
                )}{' '}
                {gpus.some((gpu) => gpu.steps.includes(null)) && 'Grey: not measured.'}{' '}
                {more > 0 && `${count(more)} more were at least as busy.`}
              </p>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function Row({ gpu }: { gpu: GpuActivity }) {
  return (
    <tr>
      <td class="right">{taskWords(gpu.tasks)}</td>
      <td>
        <a href={nodeLink(gpu.node)}>{gpu.node}</a>
      </td>
      <td class="right">{gpu.gpu}</td>
      <td class="right">{gpu.busy == null ? '–' : percent(gpu.busy, 1000)}</td>
      <td class="strip">
        <svg
          viewBox={`0 0 ${Math.max(1, gpu.steps.length)} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {stretches(gpu.steps as (number | null)[]).map(({ from, to, percent }) => (
            <rect
              key={from}
              class={percent == null ? 'unmeasured' : 'measured'}
              x={from}
              width={to - from}
              y={100 - (percent ?? 100)}
              height={percent ?? 100}
            />
          ))}
        </svg>
      </td>
    </tr>
  );
}
