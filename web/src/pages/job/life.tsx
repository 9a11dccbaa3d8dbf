/** What befell a job: its life as one bar, and each event below it. */
import type { EventView, JobView } from '../../api/types';
import { clock, full, millis, span } from '../../format';
import { Empty, Loading, Panel } from '../../parts/parts';
import { Counted } from './counted';
import { lifeOf, totals } from './spans';

type Props = { job: JobView; events: EventView[] | null; now: number };

export function Life({ job, events, now }: Props) {
  const spans = lifeOf(job, events ?? [], now);
  const from = spans[0]?.from ?? now;
  const whole = Math.max(1, (spans.at(-1)?.to ?? now) - from);
  const newest = [...(events ?? [])].sort((a, b) => b.id - a.id);
  return (
    <Panel title="Timeline" note={span(whole)}>
      <div class="inside">
        <div class="life" aria-hidden="true">
          {spans.map((part) => (
            <i
              key={part.from}
              class={part.kind}
              style={{
                left: `${(100 * (part.from - from)) / whole}%`,
                width: `${(100 * (part.to - part.from)) / whole}%`,
              }}
            />
          ))}
        </div>
        <div class="key">
          {[...totals(spans)].map(([kind, sum]) => (
            <span key={kind}>
              <i class={`life-key ${kind}`} />
              {kind} {span(sum)}
            </span>
          ))}
        </div>
      </div>
      {events === null && <Loading what="events" />}
      {events?.length === 0 && <Empty title="No events are kept of it" />}
      {newest.length > 0 && (
        <ol class="happened">
          {newest.map((event) => (
            <li key={event.id}>
              <time dateTime={event.at} title={full(millis(event.at))}>
                {clock(millis(event.at), now)}
              </time>
              <span>
                <Counted text={event.text.replace(`job ${job.id} `, '')} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
