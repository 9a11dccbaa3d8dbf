/** The common settings of queues as a form shows them; what else there is in the policy stays as it is. */
import type { ClusterSpec } from '../../api/types';

export type QueueSpec = NonNullable<ClusterSpec['queues']>[number];
type Quota = NonNullable<QueueSpec['guarantee']>;
export type IdleRule = NonNullable<QueueSpec['idle']>;

const MINUTE = 60_000;

/** What a rule begins with: two hours below a twentieth. */
const IDLE: IdleRule = { after: 120 * MINUTE, below_milli: 50, then: 'flag' };

/** GPUs of a quota as one writes them; empty where there is none. */
export function inGpus(quota: QueueSpec['guarantee']): string {
  const milli = quota?.gpus;
  return milli == null ? '' : String(milli / 1000);
}

/** The same back; what is no number is none. */
export function withGpus(quota: QueueSpec['guarantee'], text: string): Quota {
  const gpus = Number(text);
  const milli = text.trim() === '' || !(gpus >= 0) ? null : Math.round(gpus * 1000);
  return { ...(quota as Quota), gpus: milli };
}

export const inMinutes = (rule: IdleRule) => String(rule.after / MINUTE);
export const inPercent = (rule: IdleRule) => String((rule.below_milli ?? 50) / 10);

/** What becomes of idle jobs; without a word there is no rule. */
export function withIdle(rule: QueueSpec['idle'], then: string): IdleRule | null {
  if (then === '') return null;
  return { ...(rule ?? IDLE), then: then as IdleRule['then'] };
}

/** A rule with another time or bound; it stays as it is where that is not a number. */
export function withBounds(rule: IdleRule, bounds: { minutes?: string; percent?: string }) {
  const minutes = Number(bounds.minutes || Number.NaN);
  const percent = Number(bounds.percent || Number.NaN);
  return {
    ...rule,
    after: minutes > 0 ? Math.round(minutes * MINUTE) : rule.after,
    below_milli: percent > 0 ? Math.round(percent * 10) : rule.below_milli,
  };
}

/** The policy with one queue changed. */
export function withQueue(policy: ClusterSpec, name: string, change: Partial<QueueSpec>) {
  const queues = (policy.queues ?? []).map((queue) =>
    queue.name === name ? tidy({ ...queue, ...change }) : queue,
  );
  return { ...policy, queues };
}

/** The policy with one more queue, which stands after those there are; the server knows its defaults. */
export function withNewQueue(policy: ClusterSpec, name: string): ClusterSpec {
  const known = policy.queues ?? [];
  if (name === '' || known.some((queue) => queue.name === name)) return policy;
  return { ...policy, queues: [...known, { name, weight: 1 }] };
}

export function withoutQueue(policy: ClusterSpec, name: string): ClusterSpec {
  return { ...policy, queues: (policy.queues ?? []).filter((queue) => queue.name !== name) };
}

/** Without a rule that is none: the server leaves it out as well. */
function tidy({ idle, ...queue }: QueueSpec): QueueSpec {
  return idle ? { ...queue, idle } : queue;
}
