/** The list of jobs: filtered, searched and sorted. */
import { useEffect, useState } from 'preact/hooks';
import { get, words } from '../../api/client';
import type { JobView, Page, QueueView } from '../../api/types';
import { count, gpus, span } from '../../format';
import { useNow, useResource } from '../../live/resource';
import { Empty, Failure, Loading, Segmented, StateTag } from '../../parts/parts';
import { jobLink, link, route, setQuery } from '../../route';
import { identity } from '../../session';
import { Counted } from '../job/counted';
import { type Column, GROUPS, matches, pathOf, ran, readFilter, sorted, waited } from './filter';

const COLUMNS: [Column, string, boolean][] = [
  ['id', 'job', true],
  ['name', 'name', false],
  ['state', 'state', false],
  ['gpus', 'GPUs', true],
  ['user', 'user', false],
  ['queue', 'queue', false],
  ['waited', 'waited', true],
  ['ran', 'ran', true],
];

export function JobList() {
  const now = useNow();
  const filter = readFilter(route.value.query);
  const path = pathOf(filter);
  const first = useResource<Page<JobView>>(path, { on: (event) => event.job != null });
  const queues = useResource<Page<QueueView>>('/v1/queues', { on: false });
  const older = useOlder(path, first.data);
  const known = [...(first.data?.items ?? []), ...older.items];
  const jobs = sorted(
    known.filter((job) => matches(job, filter.search)),
    filter.sort,
    now,
  );
  return (
    <>
      <div class="head">
        <h1>Jobs</h1>
        <Segmented
          label="Which jobs"
          options={GROUPS}
          value={filter.group}
          onChange={(group) => setQuery({ show: group === 'alive' ? undefined : group })}
        />
        <span class="grow" />
        <span class="quiet" role="status">
          {first.data && `${count(jobs.length)}${older.next ? '+' : ''} shown`}
        </span>
      </div>
      <div class="filters">
        <input
          type="search"
          aria-label="Search jobs"
          placeholder="name, number, node, reason …"
          value={filter.search}
          onInput={(event) => setQuery({ search: event.currentTarget.value || undefined })}
        />
        <input
          aria-label="User"
          placeholder="user"
          value={filter.user}
          onChange={(event) => setQuery({ user: event.currentTarget.value || undefined })}
        />
        <select
          aria-label="Queue"
          value={filter.queue}
          onChange={(event) => setQuery({ queue: event.currentTarget.value || undefined })}
        >
          <option value="">every queue</option>
          {queues.data?.items.map((queue) => (
            <option key={queue.name} value={queue.name}>
              {queue.name}
            </option>
          ))}
        </select>
        {identity.value && filter.user !== identity.value.user && (
          <button type="button" onClick={() => setQuery({ user: identity.value?.user })}>
            Mine
          </button>
        )}
        {(filter.user || filter.queue || filter.search || filter.array) && (
          <a href={link('jobs', { show: filter.group })}>clear</a>
        )}
      </div>
      <div class="panel">
        {first.failure && <Failure lines={first.failure} retry={first.reload} />}
        {!first.data && !first.failure && <Loading what="jobs" />}
        {first.data && jobs.length === 0 && <Nothing isFiltered={known.length > 0} />}
        {jobs.length > 0 && <Table jobs={jobs} sort={filter.sort} now={now} />}
        {older.next && (
          <button type="button" class="plain more" disabled={older.isBusy} onClick={older.more}>
            show older ones
          </button>
        )}
        {older.failure && <Failure lines={older.failure} retry={older.more} />}
      </div>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No job matches">Change the search or the filters.</Empty>;
  return (
    <Empty title="No jobs here">
      Submit one: <code>muster run --gpus 1 -- echo hello</code>
    </Empty>
  );
}

type TableProps = { jobs: JobView[]; sort: ReturnType<typeof readFilter>['sort']; now: number };

function Table({ jobs, sort, now }: TableProps) {
  const turn = (column: Column) => {
    const isUp = sort.column === column ? !sort.isUp : false;
    setQuery({ sort: column === 'id' && !isUp ? undefined : `${column}.${isUp ? 'up' : 'down'}` });
  };
  return (
    <div class="scroll">
      <table class="jobs">
        <thead>
          <tr>
            {COLUMNS.map(([column, text, isRight]) => (
              <th
                key={column}
                class={isRight ? 'right' : ''}
                aria-sort={
                  sort.column === column ? (sort.isUp ? 'ascending' : 'descending') : undefined
                }
              >
                <button type="button" onClick={() => turn(column)}>
                  {text}
                </button>
              </th>
            ))}
            <th>why, or where</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <Row key={job.id} job={job} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ job, now }: { job: JobView; now: number }) {
  return (
    <tr>
      <td class="right">
        <a href={jobLink(job.id)}>{job.id}</a>
      </td>
      <td>
        <a href={jobLink(job.id)} class="name">
          {job.name}
        </a>
        {job.array != null && (
          <a class="element quiet" href={link('jobs', { show: 'all', array: String(job.array) })}>
            {job.array}[{job.index}]
          </a>
        )}
      </td>
      <td>
        <StateTag job={job} />
      </td>
      <td class="right">{gpus(job.gpus_milli)}</td>
      <td>
        <a class="name" href={link('jobs', { show: 'all', user: job.user })}>
          {job.user}
        </a>
      </td>
      <td>{job.queue}</td>
      <td class="right nowrap">{span(waited(job, now))}</td>
      <td class="right nowrap">{job.started ? span(ran(job, now)) : '–'}</td>
      <td class="why">
        <Counted text={detail(job)} />
      </td>
    </tr>
  );
}

/** Why it waits, where it runs, or how it ended. */
function detail(job: JobView): string {
  if (job.reason) return job.reason;
  if (job.state === 'ended') {
    if (job.exit_signal) return `by ${job.exit_signal}`;
    if (job.cancelled_by) return `by ${job.cancelled_by}`;
    if (job.exit_code) return `exit code ${job.exit_code}`;
    return '';
  }
  const [node, ...others] = job.nodes;
  return node ? `${node}${others.length > 0 ? ` and ${others.length} more` : ''}` : '';
}

/** Pages after the first: kept while the filter stays, fetched when asked for. */
function useOlder(path: string, first: Page<JobView> | null) {
  const [items, setItems] = useState<JobView[]>([]);
  const [next, setNext] = useState<string | null | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string[] | null>(null);
  useEffect(() => {
    setItems([]);
    setNext(undefined);
  }, [path]);
  const goesOn = next === undefined ? first?.next : next;
  const more = async () => {
    setBusy(true);
    try {
      const page = await get<Page<JobView>>(`${path}&after=${goesOn}`);
      setItems((items) => [...items, ...page.items]);
      setNext(page.next ?? null);
      setFailure(null);
    } catch (error) {
      setFailure(words(error));
    } finally {
      setBusy(false);
    }
  };
  const newest = new Set(first?.items.map((job) => job.id));
  return { items: items.filter((job) => !newest.has(job.id)), next: goesOn, isBusy, failure, more };
}
