/** Where GPU time went: paid, allocated, active, useful; and what was lost on the way. */
import '../style/waste.css';
import type { Funnel, Offender, UsageReport, WasteReport } from '../api/types';
import { gpuHours, money, percent } from '../format';
import { useNow, useResource } from '../live/resource';
import { type Column, List } from '../parts/list';
import { Empty, Panel, Segmented, Shown } from '../parts/parts';
import { jobLink, link, route, setQuery } from '../route';
import { lossesOf, paidOf, stepsOf } from './waste/funnel';
import { Idle } from './waste/idle';

const HOUR = 3_600_000;
const SPANS: [string, string, number][] = [
  ['1d', '1 day', 24 * HOUR],
  ['7d', '7 days', 168 * HOUR],
  ['30d', '30 days', 720 * HOUR],
];
const BY: [string, string][] = [
  ['team', 'Team'],
  ['user', 'User'],
  ['queue', 'Queue'],
  ['class', 'Class'],
  ['model', 'Model'],
];

export function WastePage() {
  const { query } = route.value;
  const [name, , length] = SPANS.find(([name]) => name === query.get('span')) ?? SPANS[0]!;
  const by = BY.find(([by]) => by === query.get('by'))?.[0] ?? 'team';
  const minute = Math.floor(useNow(60_000) / 60_000) * 60_000;
  const since = new Date(minute - length).toISOString();
  const waste = useResource<WasteReport>(`/v1/waste?since=${since}`, { on: false, keeps: true });
  const usage = useResource<UsageReport>(`/v1/usage?by=${by}&since=${since}`, {
    on: false,
    keeps: true,
  });
  const currency = usage.data?.currency ?? waste.data?.currency ?? '';
  return (
    <>
      <div class="head">
        <h1>Waste</h1>
        <Segmented
          label="The past"
          options={SPANS.map(([name, text]) => [name, text] as [string, string])}
          value={name}
          onChange={(span) => setQuery({ span: span === '1d' ? undefined : span })}
        />
      </div>
      <div class="stack">
        <Panel title="From paid to useful" note="GPU-hours, and what they cost">
          <Shown of={waste} what="the funnel">
            {(report) => <Steps funnel={report.funnel} currency={currency} />}
          </Shown>
        </Panel>
        <Panel title="Worst offenders">
          <Shown of={waste} what="offenders">
            {(report) => <Offenders all={report.offenders} currency={currency} />}
          </Shown>
        </Panel>
        <Idle since={since} />
        <Panel
          title="Who uses what"
          tools={
            <Segmented
              label="By"
              options={BY}
              value={by}
              onChange={(by) => setQuery({ by: by === 'team' ? undefined : by })}
            />
          }
        >
          <Shown of={usage} what="use">
            {(report) =>
              report.rows.length === 0 ? (
                <Empty title="Nothing was used" />
              ) : (
                <List
                  rows={report.rows}
                  columns={columnsOf(by, currency)}
                  id={(row) => row.key}
                  label={`Use by ${by}`}
                />
              )
            }
          </Shown>
        </Panel>
      </div>
    </>
  );
}

function Steps({ funnel, currency }: { funnel: Funnel; currency: string }) {
  const paid = paidOf(funnel);
  if (paid === 0) return <Empty title="Nothing was paid for in this time" />;
  const losses = lossesOf(funnel);
  return (
    <div class="inside steps">
      <ol>
        {stepsOf(funnel).map((step) => (
          <li key={step.name}>
            <span class="step-name">
              {step.name} <small class="quiet">{step.words}</small>
            </span>
            <span class="step-bar" aria-hidden="true">
              <i class={step.name} style={{ width: `${(100 * step.gpuMs) / paid}%` }} />
            </span>
            <strong class="right">{percent(step.gpuMs, paid)}</strong>
            <span class="right">{gpuHours(step.gpuMs)} GPU-h</span>
            <span class="right quiet">
              {funnel.money?.[step.name] != null && money(funnel.money[step.name]!, currency)}
            </span>
          </li>
        ))}
      </ol>
      <h3>What is missing between the bars</h3>
      <dl class="facts">
        {losses.map((loss) => (
          <div key={loss.name}>
            <dt>{loss.name}</dt>
            <dd>
              {gpuHours(loss.gpuMs)} GPU-h <span class="quiet">{percent(loss.gpuMs, paid)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Offenders({ all, currency }: { all: Offender[]; currency: string }) {
  if (all.length === 0) return <Empty title="Nothing stands out">No job wasted much.</Empty>;
  const columns: Column<Offender>[] = [
    {
      name: 'job',
      cell: (row) =>
        row.job ? (
          <a href={jobLink(row.job)}>
            {row.job} {row.name}
          </a>
        ) : (
          '–'
        ),
    },
    { name: 'what', cell: (row) => row.text },
    { name: 'kind', by: (row) => row.kind, cell: (row) => row.kind.replaceAll('-', ' ') },
    { name: 'user', by: (row) => row.user ?? '', cell: (row) => row.user ?? '–' },
    { name: 'team', by: (row) => row.team ?? '', cell: (row) => row.team ?? '–' },
    {
      name: 'GPU-hours',
      isRight: true,
      by: (row) => row.gpu_ms,
      cell: (row) => gpuHours(row.gpu_ms),
    },
    {
      name: 'money',
      isRight: true,
      by: (row) => row.money ?? 0,
      cell: (row) => (row.money ? money(row.money, currency) : '–'),
    },
  ];
  return (
    <List
      rows={all}
      columns={columns}
      id={(row) => `${row.kind} ${row.job} ${row.text}`}
      label="Worst offenders"
    />
  );
}

function columnsOf(by: string, currency: string): Column<UsageReport['rows'][number]>[] {
  type Row = UsageReport['rows'][number];
  const measured = ({ funnel }: Row) => funnel.allocated - funnel.unmeasured;
  return [
    {
      name: by,
      by: (row) => row.key,
      cell: (row) =>
        by === 'user' || by === 'queue' ? (
          <a href={link('jobs', { show: 'all', [by]: row.key })}>{row.label ?? row.key}</a>
        ) : (
          (row.label ?? (row.key || `no ${by}`))
        ),
    },
    {
      name: 'allocated GPU-h',
      isRight: true,
      by: (row) => row.funnel.allocated,
      cell: (row) => gpuHours(row.funnel.allocated),
    },
    {
      name: 'active',
      isRight: true,
      by: (row) => row.funnel.active / Math.max(1, measured(row)),
      cell: (row) => percent(row.funnel.active, measured(row)),
    },
    {
      name: 'useful',
      isRight: true,
      by: (row) => row.funnel.useful / Math.max(1, measured(row)),
      cell: (row) => percent(row.funnel.useful, measured(row)),
    },
    {
      name: 'idle GPU-h',
      isRight: true,
      by: (row) => row.funnel.idle,
      cell: (row) => gpuHours(row.funnel.idle),
    },
    {
      name: 'not measured GPU-h',
      isRight: true,
      by: (row) => row.funnel.unmeasured,
      cell: (row) => gpuHours(row.funnel.unmeasured),
    },
    {
      name: 'cost',
      isRight: true,
      by: (row) => row.funnel.money?.allocated ?? 0,
      cell: (row) =>
        row.funnel.money?.allocated ? money(row.funnel.money.allocated, currency) : '–',
    },
  ];
}
