/** What runs next: when what runs will end, what starts then, and how sure that is. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import '../style/plan.css';
import type { PlannedJob, PlannedStart, PlanView } from '../api/types';
import { ago, clock, count, counted, gpus, millis, span } from '../format';
import { useNow, useResource } from '../live/resource';
import { Empty, Panel, Segmented, Shown } from '../parts/parts';
import { jobLink, link, route, setQuery } from '../route';
import {
  AHEAD,
  aheadOf,
  nextPieces,
  type Piece,
  piece,
  placeOf,
  type Range,
  rangeOf,
  runningPieces,
  ticksOf,
} from './plan/gantt';

/** Rows of each part before one asks for more. */
const SHOWN = 30;

/** What the bars mean. */
const KEY: [Piece['kind'], string][] = [
  ['past', 'has run'],
  ['expected', 'until it probably ends'],
  ['unsure', 'until it must have ended'],
  ['start-unsure', 'starts in order'],
  ['start-backfill', 'starts in a gap, ahead of one that waits'],
  ['would-run', 'would run'],
  ['held', 'nodes held for it'],
  ['bound', 'has started by then: the floor'],
];

export function PlanPage() {
  const now = useNow(2000);
  const plan = useResource<PlanView>('/v1/plan', {
    on: (event) => event.kind.startsWith('job'),
    everyMs: 4000,
  });
  const chosen = AHEAD.find(([name]) => name === route.value.query.get('ahead'));
  const ahead = chosen?.[1] ?? (plan.data ? aheadOf(plan.data, now) : AHEAD[1]![1]);
  const name = AHEAD.find(([, span]) => span === ahead)![0];
  const range = rangeOf(now, ahead);
  return (
    <>
      <div class="head">
        <h1>Plan</h1>
        <Segmented
          label="How far ahead"
          options={AHEAD.map(([name]) => [name, name] as [string, string])}
          value={name}
          onChange={(ahead) => setQuery({ ahead })}
        />
        <div class="key">
          {KEY.map(([kind, words]) => (
            <span key={kind}>
              <i class={`plan-key ${kind}`} />
              {words}
            </span>
          ))}
        </div>
      </div>
      <Shown of={plan} what="the plan">
        {(plan) => (
          <div class="stack">
            <Next plan={plan} now={now} range={range} />
            <Running plan={plan} now={now} range={range} />
            <Bookings plan={plan} now={now} range={range} />
          </div>
        )}
      </Shown>
    </>
  );
}

type PartProps = { plan: PlanView; now: number; range: Range };

function Next({ plan, now, range }: PartProps) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? plan.next : plan.next.slice(0, SHOWN);
  return (
    <Panel
      title="Next"
      note={
        plan.next.length > 0
          ? `${count(plan.next.length)} of ${count(plan.next.length + plan.waiting)} that wait, first first`
          : undefined
      }
    >
      {plan.next.length === 0 ? (
        <Empty title="Nothing waits">A job that is submitted now starts if it fits.</Empty>
      ) : (
        <Chart range={range} now={now}>
          {shown.map((job) => (
            <Row
              key={job.job}
              job={job}
              pieces={nextPieces(job, now, range)}
              words={nextWords(job, now)}
              note={noteOf(job, now)}
              why={job.starts_expected ? undefined : (job.reason ?? undefined)}
              title={job.reason ?? undefined}
            />
          ))}
        </Chart>
      )}
      {plan.next.length > SHOWN && (
        <button type="button" class="plain more" onClick={() => setAll(!isAll)}>
          {isAll ? 'show fewer' : `show all ${plan.next.length}`}
        </button>
      )}
    </Panel>
  );
}

/** What is done for it, and whom it passes. */
function noteOf(job: PlannedStart, now: number): ComponentChildren {
  if (job.passes != null) {
    return (
      <>
        backfilled, ahead of{' '}
        <a class="within" href={jobLink(job.passes)}>
          job {job.passes}
        </a>
      </>
    );
  }
  if (job.reserved_nodes.length === 0) return undefined;
  const since = job.held_since ? ` for ${span(now - millis(job.held_since))}` : '';
  const why = job.is_starving ? ', it waited too long' : '';
  return `${counted(job.reserved_nodes.length, 'node')} held${since}${why}`;
}

/** When it probably starts, and after the sign when it will have at the latest. */
function nextWords(job: PlannedStart, now: number): string {
  if (!job.starts_expected) return 'not foreseen';
  const expected = ago(Math.max(now, millis(job.starts_expected)), now);
  return job.starts_latest ? `${expected} · ≤ ${far(millis(job.starts_latest) - now)}` : expected;
}

const DAY = 86_400_000;

/** A span in whole days once it has several: the hours of a promise for next week are no help. */
const far = (ms: number) => span(ms > 3 * DAY ? Math.ceil(ms / DAY) * DAY : ms);

function Running({ plan, now, range }: PartProps) {
  const [isAll, setAll] = useState(false);
  const end = (job: PlanView['running'][number]) =>
    job.ends_expected ? millis(job.ends_expected) : Number.POSITIVE_INFINITY;
  const sorted = [...plan.running].sort((a, b) => end(a) - end(b));
  const shown = isAll ? sorted : sorted.slice(0, SHOWN);
  return (
    <Panel title="Running" note={`${count(plan.running.length)}, first to end first`}>
      {plan.running.length === 0 ? (
        <Empty title="Nothing runs" />
      ) : (
        <Chart range={range} now={now}>
          {shown.map((job) => (
            <Row
              key={job.job}
              job={job}
              pieces={runningPieces(job, now, range)}
              words={
                job.ends_expected
                  ? `ends ${ago(Math.max(now, millis(job.ends_expected)), now)}`
                  : 'no end known'
              }
              note={job.gives_way ? 'on held GPUs, gives way' : undefined}
            />
          ))}
        </Chart>
      )}
      {sorted.length > SHOWN && (
        <button type="button" class="plain more" onClick={() => setAll(!isAll)}>
          {isAll ? 'show fewer' : `show all ${sorted.length}`}
        </button>
      )}
    </Panel>
  );
}

function Bookings({ plan, now, range }: PartProps) {
  if (plan.bookings.length === 0) return null;
  return (
    <Panel
      title="Set aside"
      note={
        <a class="within" href={link('settings', { part: 'bookings' })}>
          bookings
        </a>
      }
    >
      <Chart range={range} now={now} what="booking">
        {plan.bookings.map(({ booking, is_open }) => {
          const start = Number(booking.start);
          const end = booking.end == null ? range.to : Number(booking.end);
          const bar = piece('open', start, end, range);
          const users = [...(booking.users ?? []), ...(booking.queues ?? [])];
          return (
            <tr key={booking.name}>
              <th scope="row">{booking.name}</th>
              <td class="right quiet">{counted(booking.places.length, 'place')}</td>
              <td class="quiet nowrap">
                {is_open ? 'open' : `opens ${ago(start, now)}`}
                <small>{users.length > 0 ? `for ${users.join(', ')}` : 'for maintenance'}</small>
              </td>
              <td class="lane">
                <b class="now-line" />
                {bar && <Bars pieces={[bar]} />}
              </td>
            </tr>
          );
        })}
      </Chart>
    </Panel>
  );
}

type ChartProps = { range: Range; now: number; what?: string; children: ComponentChildren };

function Chart({ range, now, what = 'job', children }: ChartProps) {
  // A moment at the very edge would be cut in half.
  const isInside = (tick: number) => placeOf(tick, range) > 3 && placeOf(tick, range) < 97;
  return (
    <div class="scroll">
      <table class="gantt">
        <thead>
          <tr>
            <th>{what}</th>
            <th class="right">{what === 'job' ? 'GPUs' : 'where'}</th>
            <th>when</th>
            <th class="lane">
              <span class="hidden-text">over time</span>
              {ticksOf(range, 9)
                .filter(isInside)
                .map((tick) => (
                  <span key={tick} class="tick" style={{ left: `${placeOf(tick, range)}%` }}>
                    {clock(tick, now).replace(/:00$/, '').slice(-11)}
                  </span>
                ))}
              <span class="now" style={{ left: `${placeOf(now, range)}%` }}>
                now
              </span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

type RowProps = {
  job: PlannedJob;
  pieces: Piece[];
  words: string;
  /** What else there is to say of its time. */
  note?: ComponentChildren;
  /** Why nothing is foreseen, in the place of the bars. */
  why?: string;
  title?: string;
};

function Row({ job, pieces, words, note, why, title }: RowProps) {
  return (
    <tr title={title}>
      <th scope="row">
        <a href={jobLink(job.job)}>
          {job.job} {job.name}
        </a>{' '}
        <span class="quiet">{job.team ?? job.queue}</span>
      </th>
      <td class="right">{gpus(job.gpus_milli)}</td>
      <td class="quiet nowrap">
        {words}
        {note && <small>{note}</small>}
      </td>
      <td class="lane">
        {!why && <b class="now-line" />}
        <Bars pieces={pieces} />
        {why && pieces.length === 0 && <span class="note">{why}</span>}
      </td>
    </tr>
  );
}

function Bars({ pieces }: { pieces: Piece[] }) {
  return (
    <>
      {pieces.map((piece) => (
        <i
          key={piece.kind}
          class={piece.kind}
          style={{ left: `${piece.left}%`, width: `${piece.width}%` }}
        />
      ))}
    </>
  );
}
