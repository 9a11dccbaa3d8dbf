/** Which jobs are listed, and in which order. All of it is in the address, to keep and to send. */
import type { JobView } from '../../api/types';
import { millis } from '../../format';

export type Group = 'alive' | 'running' | 'waiting' | 'ended' | 'all';

export const GROUPS: [Group, string][] = [
  ['alive', 'Alive'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['ended', 'Ended'],
  ['all', 'All'],
];

/** The states of each group, as the server wants them. */
export const STATES: Record<Group, string> = {
  alive: 'waiting,queued,launching,running,pausing,paused,resuming,stopping',
  running: 'launching,running,pausing,paused,resuming,stopping',
  waiting: 'waiting,queued',
  ended: 'ended',
  all: '',
};

export type Column = 'id' | 'name' | 'user' | 'queue' | 'gpus' | 'state' | 'waited' | 'ran';
export type Sort = { column: Column; isUp: boolean };

export type Filter = {
  group: Group;
  search: string;
  user: string;
  queue: string;
  array: string;
  sort: Sort;
};

/** Newest first, as the server lists them. */
export const NEWEST: Sort = { column: 'id', isUp: false };

export function readFilter(query: URLSearchParams): Filter {
  const group = GROUPS.find(([group]) => group === query.get('show'))?.[0] ?? 'alive';
  const [column, way] = (query.get('sort') ?? '').split('.');
  const known: Column[] = ['id', 'name', 'user', 'queue', 'gpus', 'state', 'waited', 'ran'];
  const found = known.find((one) => one === column);
  return {
    group,
    search: query.get('search') ?? '',
    user: query.get('user') ?? '',
    queue: query.get('queue') ?? '',
    array: query.get('array') ?? '',
    sort: found ? { column: found, isUp: way === 'up' } : NEWEST,
  };
}

/** What the server is asked: it finds names by how they begin, the rest is done here. */
export function pathOf(filter: Filter, after?: string): string {
  const query = new URLSearchParams({ limit: '200', reasons: 'true' });
  const add = (name: string, value: string | undefined) => {
    if (value) query.set(name, value);
  };
  add('state', STATES[filter.group]);
  add('user', filter.user);
  add('queue', filter.queue);
  add('array', filter.array);
  add('after', after);
  return `/v1/jobs?${query}`;
}

/** Whether the words of a search are all somewhere in a job. */
export function matches(job: JobView, search: string): boolean {
  const parts = [job.id, job.name, job.user, job.queue, job.team, job.class, job.state];
  const text = [...parts, job.outcome, job.reason, ...job.nodes].join(' ').toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}

export function sorted(jobs: JobView[], { column, isUp }: Sort, now: number): JobView[] {
  const value = (job: JobView): number | string => {
    switch (column) {
      case 'gpus':
        return job.gpus_milli;
      case 'waited':
        return waited(job, now);
      case 'ran':
        return ran(job, now);
      default:
        return job[column];
    }
  };
  const sign = isUp ? 1 : -1;
  return [...jobs].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    return (left < right ? -sign : left > right ? sign : 0) || b.id - a.id;
  });
}

/** How long it waited for its present or last attempt, or waits still. */
export function waited(job: JobView, now: number): number {
  const until = job.started ?? job.ended;
  return Math.max(0, (until ? millis(until) : now) - millis(job.submitted));
}

/** How long its present or last attempt ran, or runs still. */
export function ran(job: JobView, now: number): number {
  if (!job.started) return 0;
  return Math.max(0, (job.ended ? millis(job.ended) : now) - millis(job.started));
}
