/** The figures of the cluster, on top of every page: allocated, of that active, of that useful. */
import type { UsageReport } from './api/types';
import { count, gpus, percent } from './format';
import { heardAt, stream } from './live/live';
import { useNow, useResource } from './live/resource';
import { paidOf } from './pages/waste/funnel';
import { useCluster } from './shell';

/** The time that the figures of use are about. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function Readout() {
  const cluster = useCluster();
  const minute = Math.floor(useNow(MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  const since = new Date(minute - HOUR_MS).toISOString();
  const usage = useResource<UsageReport>(`/v1/usage?by=team&since=${since}`, {
    on: false,
    keeps: true,
  });
  const all = (cluster?.gpus ?? 0) * 1000;
  const total = usage.data?.total;
  return (
    <header class="readout">
      {cluster && (
        <Nested
          allocated={cluster.gpus_used_milli / Math.max(1, all)}
          active={total && total.active / Math.max(1, paidOf(total))}
          useful={total && total.useful / Math.max(1, paidOf(total))}
        />
      )}
      <dl>
        {cluster && (
          <>
            <Figure name="allocated" value={percent(cluster.gpus_used_milli, all)}>
              {gpus(cluster.gpus_used_milli)} of {count(cluster.gpus)} GPUs
            </Figure>
            {total && (
              <>
                <Figure name="active" value={percent(total.active, paidOf(total))}>
                  last hour
                </Figure>
                <Figure name="useful" value={percent(total.useful, paidOf(total))} />
              </>
            )}
            <Figure name="running" value={count(cluster.active)} />
            <Figure name="waiting" value={count(cluster.pending)} />
            {cluster.nodes_unseen > 0 && (
              <Figure name="nodes not seen" value={count(cluster.nodes_unseen)} />
            )}
          </>
        )}
      </dl>
      <Pulse />
    </header>
  );
}

type Parts = { allocated: number; active?: number; useful?: number };

/** The three figures as bars within bars: what is missing between them is what is lost. */
function Nested(parts: Parts) {
  const names = ['allocated', 'active', 'useful'] as const;
  return (
    <div class="nested" aria-hidden="true">
      {names.map((name) => {
        const part = parts[name];
        return part === undefined ? null : (
          <span key={name} class={name} style={{ width: `${Math.min(100, 100 * part)}%` }} />
        );
      })}
    </div>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children?: unknown }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        {value} {children ? <small>{children as never}</small> : null}
      </dd>
    </div>
  );
}

function Pulse() {
  const word = { live: 'live', lost: 'disconnected', connecting: 'connecting' }[stream.value];
  const at = new Date(heardAt.value).toLocaleTimeString('en-GB');
  return (
    <div class={`pulse-state ${stream.value}`} role="status" title={`last heard at ${at}`}>
      <i aria-hidden="true" />
      {word}
    </div>
  );
}
