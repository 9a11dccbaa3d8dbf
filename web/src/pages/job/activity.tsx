/** How busy the GPUs of a job were while it held them. */
import { useMemo } from 'preact/hooks';
import type { JobUsage } from '../../api/types';
import { type Line, LineChart } from '../../chart/line';
import { percent } from '../../format';
import type { Resource } from '../../live/resource';
import { Empty, Panel, Shown } from '../../parts/parts';
import { seriesOf } from './series';

export function Activity({ usage }: { usage: Resource<JobUsage> }) {
  const series = useMemo(() => seriesOf(usage.data?.series ?? []), [usage.data]);
  const lines = useMemo<Line[]>(
    () => [
      { label: 'held', colour: 'ink-2', values: series.held, dash: [5, 4] },
      { label: 'active', colour: 'run', values: series.active, isFilled: true },
    ],
    [series],
  );
  return (
    <Panel title="Activity" note="GPUs held, and of those at work">
      <Shown of={usage} what="activity">
        {({ funnel }) =>
          series.times.length < 2 ? (
            <Empty title="Nothing measured yet">Figures come while it holds GPUs.</Empty>
          ) : (
            <div class="inside">
              <LineChart
                times={series.times}
                lines={lines}
                format={(value) => String(Math.round(value * 100) / 100)}
                label={`GPUs over time: ${percent(funnel.active, funnel.allocated)} of what it held was active`}
              />
            </div>
          )
        }
      </Shown>
    </Panel>
  );
}
