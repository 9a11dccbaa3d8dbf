/** Teams and their queues: what they are guaranteed, what they use, what they lend and borrow. */
import { useMemo } from 'preact/hooks';
import '../style/teams.css';
import type { Page, QueueView, UsageReport } from '../api/types';
import { type Line, LineChart } from '../chart/line';
import { count, gpus, millis, percent } from '../format';
import { cluster } from '../live/live';
import { useNow, useResource } from '../live/resource';
import { teamColour } from '../map/colour';
import { Empty, Panel, Shown } from '../parts/parts';
import { link } from '../route';
import { Lenders } from './teams/lenders';
import { depthOf } from './teams/lending';

const HOUR = 3_600_000;
/** The past that is drawn. */
const PAST_MS = 48 * HOUR;
/** Lines that can be told apart in one chart. */
const LINES_MAX = 8;

export function TeamsPage() {
  const queues = useResource<Page<QueueView>>('/v1/queues', {
    on: (event) => event.kind.startsWith('job'),
    everyMs: 4000,
  });
  return (
    <>
      <div class="head">
        <h1>Teams</h1>
      </div>
      <Shown of={queues} what="queues">
        {({ items }) => (
          <div class="stack">
            <Books queues={items} />
            <div class="columns">
              <Lenders queues={items} />
              <Past />
            </div>
          </div>
        )}
      </Shown>
    </>
  );
}

function Books({ queues }: { queues: QueueView[] }) {
  const all = (cluster.value?.gpus ?? 0) * 1000;
  const most = Math.max(
    1,
    ...queues.map((queue) =>
      Math.max(queue.used_milli, queue.guarantee_milli ?? 0, fair(queue, all)),
    ),
  );
  return (
    <Panel
      title="Queues"
      note="bar: in use, and beyond the guarantee hatched · | guarantee · ◆ fair share now"
    >
      <div class="scroll">
        <table class="books">
          <thead>
            <tr>
              <th>queue</th>
              <th class="lane-head">GPUs</th>
              <th class="right">used</th>
              <th class="right">guaranteed</th>
              <th class="right">fair share</th>
              <th class="right">borrows</th>
              <th class="right">lends</th>
              <th class="right">limit</th>
              <th class="right">lately</th>
              <th class="right">running</th>
              <th class="right">waiting</th>
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.name}>
                <td class={`depth-${Math.min(depthOf(queue), 4)}`}>
                  <a href={link('jobs', { queue: queue.name })}>{queue.name.split('/').at(-1)}</a>{' '}
                  <span class="quiet">weight {queue.weight}</span>
                </td>
                <td>
                  <UseBar queue={queue} most={most} fair={fair(queue, all)} />
                </td>
                <td class="right">
                  <strong>{gpus(queue.used_milli)}</strong>
                </td>
                <td class="right">{queue.guarantee_milli ? gpus(queue.guarantee_milli) : '–'}</td>
                <td class="right">{figure(fair(queue, all))}</td>
                <td class="right">{figure(queue.borrowed_milli)}</td>
                <td class="right">{figure(queue.lent_milli)}</td>
                <td class="right">{queue.limit_milli ? gpus(queue.limit_milli) : '–'}</td>
                <td class="right">{percent(queue.usage_ppm ?? 0, 1e6)}</td>
                <td class="right">{count(queue.running)}</td>
                <td class="right">{count(queue.pending)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all > 0 && (
        <p class="inside quiet">
          Of {gpus(all)} GPUs; “lately” is its part of what all used, what is long past counting
          less.
        </p>
      )}
    </Panel>
  );
}

/** The GPUs that its weight entitles it to. */
const fair = (queue: QueueView, all: number) => ((queue.share_ppm ?? 0) * all) / 1e6;

const figure = (milli: number | undefined) => (milli ? gpus(Math.round(milli / 10) * 10) : '–');

type UseBarProps = { queue: QueueView; most: number; fair: number };

function UseBar({ queue, most, fair }: UseBarProps) {
  const part = (milli: number) => `${Math.min(100, (100 * milli) / most)}%`;
  const guarantee = queue.guarantee_milli ?? 0;
  const within = Math.min(queue.used_milli, guarantee);
  return (
    <div class="use" aria-hidden="true">
      <i class="own" style={{ width: part(within) }} />
      <i class="beyond" style={{ left: part(within), width: part(queue.used_milli - within) }} />
      {guarantee > 0 && <b style={{ left: part(guarantee) }} />}
      {fair > 0 && <em style={{ left: part(fair) }} />}
    </div>
  );
}

/** What each queue had in the past hours. */
function Past() {
  const hour = Math.floor(useNow(60_000) / HOUR) * HOUR;
  const since = new Date(hour - PAST_MS).toISOString();
  const usage = useResource<UsageReport>(`/v1/usage?by=queue&bucket=hour&since=${since}`, {
    on: false,
    keeps: true,
  });
  return (
    <Panel title="Use over time" note="GPUs, hour by hour, two days">
      <Shown of={usage} what="use">
        {(report) => <PastChart report={report} />}
      </Shown>
    </Panel>
  );
}

function PastChart({ report }: { report: UsageReport }) {
  const { times, lines } = useMemo(() => linesOf(report), [report]);
  if (times.length < 2) return <Empty title="Not enough has happened yet" />;
  return (
    <div class="inside">
      <LineChart
        times={times}
        lines={lines}
        height={210}
        format={(value) => String(Math.round(value * 10) / 10)}
        label={`GPUs used over two days by ${lines.map((line) => line.label).join(', ')}`}
      />
    </div>
  );
}

/** A line for each of the largest queues: GPUs on average in each hour. */
export function linesOf(report: UsageReport): { times: number[]; lines: Line[] } {
  const buckets = report.buckets ?? [];
  const times = [...new Set(buckets.map((bucket) => millis(bucket.at)))].sort((a, b) => a - b);
  const place = new Map(times.map((time, index) => [time, index]));
  const largest = [...report.rows].sort((a, b) => b.funnel.allocated - a.funnel.allocated);
  const dashes = [undefined, [6, 3], [2, 3]];
  const lines = largest.slice(0, LINES_MAX).map((row, index) => {
    const values: number[] = new Array(times.length).fill(0);
    for (const bucket of buckets) {
      if (bucket.key !== row.key) continue;
      values[place.get(millis(bucket.at))!] = bucket.funnel.allocated / HOUR;
    }
    const label = row.label ?? row.key;
    return {
      label,
      colour: `team-${teamColour(label)}`,
      values,
      dash: dashes[index % dashes.length],
    };
  });
  return { times, lines };
}
