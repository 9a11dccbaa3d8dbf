/** One job: what it is, where it is, what befell it, and what can be done about it. */
import '../../style/job.css';
import { act } from '../../api/client';
import type { EventView, JobDetail, JobUsage, JobView, Page } from '../../api/types';
import { count, gpuHours, gpus, money, percent, span } from '../../format';
import { useNow, useResource } from '../../live/resource';
import { Action, Empty, Failure, Loading, Panel, StateTag, When } from '../../parts/parts';
import { link, nodeLink } from '../../route';
import { identity, may } from '../../session';
import { ran, waited } from '../jobs/filter';
import { Activity } from './activity';
import { Attempts } from './attempts';
import { Gpus } from './gpus';
import { Life } from './life';
import { Logs } from './logs';
import { Placement } from './placement';
import { WhyPanel } from './why-panel';

export function JobPage({ id }: { id: number }) {
  const now = useNow();
  const on = (event: EventView) => event.job === id;
  const detail = useResource<JobDetail>(`/v1/jobs/${id}`, { on });
  const events = useResource<Page<EventView>>(`/v1/events?job=${id}&limit=500`, { on });
  const usage = useResource<JobUsage>(`/v1/jobs/${id}/usage`, { on, everyMs: 15_000 });
  const data = detail.data;
  if (!data) {
    return (
      <>
        <div class="head">
          <h1>Job {id}</h1>
          <a href={link('jobs', { show: 'all' })}>all jobs</a>
        </div>
        {detail.failure ? (
          <Failure lines={detail.failure} retry={detail.reload} />
        ) : (
          <Loading what={`job ${id}`} />
        )}
      </>
    );
  }
  const { job } = data;
  return (
    <div class="stack">
      <div class="head">
        <h1>
          <span class="quiet">Job {job.id}</span> {job.name}
        </h1>
        <StateTag job={job} />
        <span class="grow" />
        <Actions job={job} onDone={detail.reload} />
      </div>
      {detail.failure && <Failure lines={detail.failure} retry={detail.reload} />}
      <Facts detail={data} usage={usage.data} now={now} />
      <div class="columns">
        {job.state !== 'ended' && <WhyPanel id={id} now={now} />}
        <Life job={job} events={events.data?.items ?? null} now={now} />
      </div>
      {job.attempt > 0 && (
        <>
          <div class="columns">
            <Placement detail={data} />
            <Activity usage={usage} />
          </div>
          <Gpus id={id} now={now} on={on} />
          <Logs detail={data} />
        </>
      )}
      <Attempts detail={data} usage={usage.data} now={now} />
      <Program detail={data} />
    </div>
  );
}

function Actions({ job, onDone }: { job: JobView; onDone: () => void }) {
  if (job.state === 'ended') return null;
  if (!may(identity.value, 'change-job', { user: job.user, queue: job.queue })) return null;
  const change = (verb: string) => () => act('POST', `/v1/jobs/${job.id}/${verb}`);
  const isPending = job.state === 'waiting' || job.state === 'queued';
  const isHeld = job.state === 'waiting' && /held|hold/.test(job.reason ?? '');
  return (
    <div class="actions">
      {isHeld && (
        <Action main act={change('release')} onDone={onDone}>
          Release
        </Action>
      )}
      {isPending && !isHeld && (
        <Action act={change('hold')} onDone={onDone}>
          Hold
        </Action>
      )}
      {!isPending && (
        <Action
          act={change('requeue')}
          onDone={onDone}
          confirm={{
            title: `Requeue job ${job.id}?`,
            text: `It ends on its nodes and waits for its turn again. What it has not saved is lost: it has run for ${span(ran(job, Date.now()))}.`,
            yes: 'Requeue it',
          }}
        >
          Requeue
        </Action>
      )}
      <Action
        act={change('cancel')}
        onDone={onDone}
        confirm={{
          title: `Cancel job ${job.id}?`,
          text: isPending
            ? `${job.name} of ${job.user} will never start.`
            : `${job.name} of ${job.user} ends on ${gpus(job.gpus_milli)} GPUs and cannot be taken up again.`,
          yes: 'Cancel it',
        }}
      >
        Cancel
      </Action>
    </div>
  );
}

type FactsProps = { detail: JobDetail; usage: JobUsage | null; now: number };

function Facts({ detail, usage, now }: FactsProps) {
  const { job } = detail;
  const funnel = usage?.funnel;
  const facts: [string, preact.ComponentChildren][] = [
    ['user', <a href={link('jobs', { show: 'all', user: job.user })}>{job.user}</a>],
    ...(job.team ? [['team', job.team] as [string, string]] : []),
    ['queue', <a href={link('jobs', { show: 'all', queue: job.queue })}>{job.queue}</a>],
    ['class', job.class],
    [
      'GPUs',
      `${gpus(job.gpus_milli)}${job.models.length > 0 ? ` × ${job.models.join(' or ')}` : ''}`,
    ],
    ['tasks', count(job.tasks)],
    ['submitted', <When at={job.submitted} now={now} />],
    ['waited', span(waited(job, now))],
    ['ran', job.started ? span(ran(job, now)) : '–'],
    ['attempt', job.attempt > 0 ? String(job.attempt) : 'not yet'],
  ];
  if (funnel) {
    facts.push(['GPU-hours', gpuHours(funnel.allocated)]);
    facts.push(['of that active', percent(funnel.active, funnel.allocated - funnel.unmeasured)]);
    const cost = funnel.money?.allocated;
    if (cost) facts.push(['cost', money(cost, usage?.currency ?? '')]);
  }
  const end = endWords(job);
  if (end) facts.push(['ended', end]);
  return (
    <section class="panel" aria-label="Facts">
      <dl class="facts inside">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {job.nodes.length > 0 && (
          <div>
            <dt>nodes</dt>
            <dd>
              {job.nodes.slice(0, 4).map((node, index) => (
                <span key={node}>
                  {index > 0 && ', '}
                  <a href={nodeLink(node)}>{node}</a>
                </span>
              ))}
              {job.nodes.length > 4 && ` and ${job.nodes.length - 4} more`}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function endWords(job: JobView): string | null {
  if (job.state !== 'ended') return null;
  if (job.exit_signal) return `by ${job.exit_signal}`;
  if (job.cancelled_by) return `cancelled by ${job.cancelled_by}`;
  if (job.exit_code != null) return `exit code ${job.exit_code}`;
  return job.outcome ?? null;
}

/** What it runs, as it was submitted. */
function Program({ detail }: { detail: JobDetail }) {
  const { program, spec } = detail;
  const command = program?.script ?? program?.command?.join(' ');
  return (
    <Panel title="What was submitted">
      {command ? (
        <pre class="inside">{command}</pre>
      ) : (
        <Empty title="Forgotten">The history no longer has what was submitted.</Empty>
      )}
      {spec && (
        <details class="inside">
          <summary>everything that was asked for</summary>
          <pre>{JSON.stringify(spec, null, 2)}</pre>
        </details>
      )}
    </Panel>
  );
}
