/** What a rule for idle jobs would have given back, had it been in force. */
import type { IdlePreview } from '../../api/types';
import { gpuHours, money } from '../../format';
import { useNow, useResource } from '../../live/resource';
import { List } from '../../parts/list';
import { Empty, Panel, Shown, When } from '../../parts/parts';
import { jobLink, route, setQuery } from '../../route';

const HOUR = 3_600_000;
const AFTER: [string, string][] = [
  [String(HOUR / 2), '30 minutes'],
  [String(HOUR), '1 hour'],
  [String(2 * HOUR), '2 hours'],
  [String(8 * HOUR), '8 hours'],
];
const BELOW: [string, string][] = [
  ['50', '5%'],
  ['100', '10%'],
  ['250', '25%'],
];

export function Idle({ since }: { since: string }) {
  const now = useNow(30_000);
  const { query } = route.value;
  const after = chosen(AFTER, query.get('after'), String(2 * HOUR));
  const below = chosen(BELOW, query.get('below'), '50');
  const path = `/v1/idle?since=${since}&after_ms=${after}&below_milli=${below}`;
  const preview = useResource<IdlePreview>(path, { on: false, keeps: true });
  return (
    <Panel
      title="What a rule for idle jobs would have reclaimed"
      tools={
        <span class="rule">
          <Choice label="busy less than" options={BELOW} value={below} name="below" />
          <Choice label="for" options={AFTER} value={after} name="after" />
        </span>
      }
    >
      <Shown of={preview} what="idle jobs">
        {(preview) =>
          preview.jobs.length === 0 ? (
            <Empty title="Nothing">No job was idle for that long.</Empty>
          ) : (
            <>
              <p class="inside">
                <strong>{gpuHours(preview.gpu_ms)} GPU-hours</strong>
                {preview.money != null && `, ${money(preview.money, preview.currency ?? '')}`}, from{' '}
                {preview.jobs.length + preview.more} jobs
              </p>
              <List
                rows={preview.jobs}
                id={(job) => job.job}
                label="Jobs that would have been called idle"
                columns={[
                  {
                    name: 'job',
                    by: (job) => job.job,
                    cell: (job) => (
                      <a href={jobLink(job.job)}>
                        {job.job} {job.name}
                      </a>
                    ),
                  },
                  { name: 'user', by: (job) => job.user, cell: (job) => job.user },
                  { name: 'team', by: (job) => job.team ?? '', cell: (job) => job.team ?? '–' },
                  { name: 'idle since', cell: (job) => <When at={job.flagged} now={now} /> },
                  {
                    name: 'GPU-hours',
                    isRight: true,
                    by: (job) => job.gpu_ms,
                    cell: (job) => gpuHours(job.gpu_ms),
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

type ChoiceProps = { label: string; options: [string, string][]; value: string; name: string };

function Choice({ label, options, value, name }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function chosen(options: [string, string][], asked: string | null, usual: string): string {
  return options.some(([value]) => value === asked) ? asked! : usual;
}
