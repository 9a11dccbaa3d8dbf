/** The nodes and how they are: all of them, or one. */
import { act } from '../api/client';
import type { EventView, JobView, NodeView, Page } from '../api/types';
import { clock, counted, full, gpus, memory, millis } from '../format';
import { useNow, useResource } from '../live/resource';
import { type Column, List } from '../parts/list';
import {
  Action,
  Bar,
  Empty,
  Failure,
  Panel,
  Segmented,
  Shown,
  StateTag,
  Tag,
} from '../parts/parts';
import type { Look } from '../parts/states';
import { jobLink, link, nodeLink, route, setQuery } from '../route';
import { identity, may } from '../session';
import { Counted } from './job/counted';
import { STATES } from './jobs/filter';

export function NodesPage() {
  const [name] = route.value.rest;
  return name ? <NodePage key={name} name={name} /> : <Nodes />;
}

const isOfNodes = (event: EventView) =>
  event.kind.startsWith('node') || event.kind.startsWith('job');

type Which = 'all' | 'trouble' | 'free';

function Nodes() {
  const nodes = useResource<Page<NodeView>>('/v1/nodes', { on: isOfNodes, everyMs: 4000 });
  const which = (route.value.query.get('show') ?? 'all') as Which;
  const search = route.value.query.get('search') ?? '';
  const wanted = (node: NodeView) =>
    (which !== 'trouble' || isTroubled(node)) &&
    (which !== 'free' || node.gpus_used_milli < node.gpus * 1000) &&
    [node.name, ...node.domains, node.pool, node.gpu_model, ...node.labels]
      .join(' ')
      .toLowerCase()
      .includes(search.toLowerCase());
  const columns: Column<NodeView>[] = [
    {
      name: 'node',
      by: (node) => node.name,
      isWhole: true,
      cell: (node) => <a href={nodeLink(node.name)}>{node.name}</a>,
    },
    { name: 'state', by: (node) => lookOf(node).word, cell: (node) => <Tag look={lookOf(node)} /> },
    {
      name: 'where',
      by: (node) => node.domains.join('/'),
      isWhole: true,
      cell: (node) => node.domains.join(' / '),
    },
    { name: 'model', by: (node) => node.gpu_model ?? '', cell: (node) => node.gpu_model ?? '–' },
    {
      name: 'GPUs used',
      isRight: true,
      isWhole: true,
      by: (node) => node.gpus_used_milli,
      cell: (node) => `${gpus(node.gpus_used_milli)} of ${node.gpus}`,
    },
    {
      name: 'in use',
      cell: (node) => (
        <div class="cell-bar">
          <Bar part={node.gpus_used_milli} whole={node.gpus * 1000} />
        </div>
      ),
    },
    {
      name: 'unhealthy',
      isRight: true,
      by: (node) => node.unhealthy.length,
      cell: (node) => (node.unhealthy.length > 0 ? `GPU ${node.unhealthy.join(', ')}` : '–'),
    },
    {
      name: 'jobs',
      isRight: true,
      by: (node) => node.jobs.length,
      cell: (node) => node.jobs.length,
    },
    {
      name: 'actions',
      isUnsaid: true,
      cell: (node) => <Deeds node={node} onDone={nodes.reload} />,
    },
  ];
  const isShown = may(identity.value, 'change-node') ? columns : columns.slice(0, -1);
  return (
    <>
      <div class="head">
        <h1>Nodes</h1>
        <Segmented<Which>
          label="Which nodes"
          options={[
            ['all', 'All'],
            ['trouble', 'In trouble'],
            ['free', 'With room'],
          ]}
          value={which}
          onChange={(which) => setQuery({ show: which === 'all' ? undefined : which })}
        />
        <input
          type="search"
          aria-label="Search nodes"
          placeholder="name, place, label …"
          value={search}
          onInput={(event) => setQuery({ search: event.currentTarget.value || undefined })}
        />
      </div>
      <div class="panel">
        <Shown of={nodes} what="nodes">
          {({ items }) => {
            const shown = items.filter(wanted);
            if (shown.length === 0) {
              return (
                <Empty title={items.length === 0 ? 'No node has joined' : 'No node like that'}>
                  {which === 'trouble' && items.length > 0 ? 'All of them are well.' : null}
                </Empty>
              );
            }
            return (
              <List
                rows={shown}
                columns={isShown}
                id={(node) => node.name}
                first="node"
                label="Nodes"
              />
            );
          }}
        </Shown>
      </div>
    </>
  );
}

const isTroubled = (node: NodeView) =>
  node.state !== 'up' || node.drained || node.unhealthy.length > 0;

function lookOf(node: NodeView): Look {
  if (node.state === 'gone') return { word: 'gone', tone: 'bad', shape: 'cross' };
  if (node.state === 'unknown') return { word: 'not seen', tone: 'bad', shape: 'clock' };
  if (node.drained) return { word: 'drained', tone: 'pause', shape: 'bars' };
  if (node.unhealthy.length > 0) return { word: 'unhealthy', tone: 'wait', shape: 'cross' };
  return { word: 'up', tone: 'run', shape: 'tick' };
}

function goesOn(node: NodeView): string {
  if (node.jobs.length === 0) return 'Nothing runs there now.';
  return `What runs there goes on: ${counted(node.jobs.length, 'job')}.`;
}

function Deeds({ node, onDone }: { node: NodeView; onDone: () => void }) {
  if (!may(identity.value, 'change-node')) return null;
  const change = (verb: string) => () =>
    act('POST', `/v1/nodes/${encodeURIComponent(node.name)}/${verb}`);
  return node.drained ? (
    <Action act={change('resume')} onDone={onDone}>
      Resume
    </Action>
  ) : (
    <Action
      act={change('drain')}
      isCalm
      onDone={onDone}
      confirm={{
        title: `Drain ${node.name}?`,
        text: `It gets nothing new until it is resumed. ${goesOn(node)}`,
        yes: 'Drain it',
      }}
    >
      Drain
    </Action>
  );
}

function NodePage({ name }: { name: string }) {
  const now = useNow();
  const on = (event: EventView) => event.node === name || event.kind.startsWith('job');
  const path = `/v1/nodes/${encodeURIComponent(name)}`;
  const node = useResource<NodeView>(path, { on });
  const events = useResource<Page<EventView>>(
    `/v1/events?node=${encodeURIComponent(name)}&limit=200`,
    { on: (event) => event.node === name },
  );
  const onDone = node.reload;
  if (!node.data && node.failure) {
    return (
      <>
        <div class="head">
          <h1>Node {name}</h1>
          <a href={link('nodes')}>all nodes</a>
        </div>
        <Failure lines={node.failure} retry={node.reload} />
      </>
    );
  }
  return (
    <Shown of={node} what={name}>
      {(node) => (
        <div class="stack">
          <div class="head">
            <h1>
              <span class="quiet">Node</span> {node.name}
            </h1>
            <Tag look={lookOf(node)} />
            <span class="grow" />
            <Deeds node={node} onDone={onDone} />
          </div>
          <section class="panel" aria-label="Facts">
            <dl class="facts inside">
              {factsOf(node).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <div class="columns">
            <Holders node={node} />
            <Panel title="Events">
              <Shown of={events} what="events">
                {({ items }) =>
                  items.length === 0 ? (
                    <Empty title="Nothing is kept of it" />
                  ) : (
                    <ol class="happened">
                      {items.map((event) => (
                        <li key={event.id}>
                          <time dateTime={event.at} title={full(millis(event.at))}>
                            {clock(millis(event.at), now)}
                          </time>
                          <span>
                            <Counted text={event.text} />
                          </span>
                        </li>
                      ))}
                    </ol>
                  )
                }
              </Shown>
            </Panel>
          </div>
        </div>
      )}
    </Shown>
  );
}

/** Asked for at most; of those beyond only the numbers are told. */
const HOLDERS_MAX = 500;

function Holders({ node }: { node: NodeView }) {
  const path = `/v1/jobs?state=${STATES.running}&limit=${HOLDERS_MAX}`;
  const jobs = useResource<Page<JobView>>(node.jobs.length > 0 ? path : null, {
    on: (event) => event.job != null,
  });
  const known = new Map(jobs.data?.items.map((job) => [job.id, job]));
  return (
    <Panel title="Jobs that hold something here" note={counted(node.jobs.length, 'job')}>
      {node.jobs.length === 0 ? (
        <Empty title="None">All of it is free.</Empty>
      ) : (
        <List
          rows={node.jobs.map((id) => ({ id, job: known.get(id) }))}
          id={({ id }) => id}
          label="Jobs here"
          columns={[
            {
              name: 'job',
              cell: ({ id, job }) => (
                <a href={jobLink(id)}>
                  {id} {job?.name}
                </a>
              ),
            },
            { name: 'state', cell: ({ job }) => job && <StateTag job={job} /> },
            { name: 'user', cell: ({ job }) => job?.user },
            { name: 'GPUs in all', isRight: true, cell: ({ job }) => job && gpus(job.gpus_milli) },
          ]}
        />
      )}
    </Panel>
  );
}

function factsOf(node: NodeView): [string, string][] {
  return [
    ['GPUs', `${node.gpus}${node.gpu_model ? ` × ${node.gpu_model}` : ''}`],
    ['GPUs used', gpus(node.gpus_used_milli)],
    ['CPUs used', `${gpus(node.cpus_used_milli ?? 0)} of ${gpus(node.cpus_milli)}`],
    ['memory used', `${memory(node.memory_used_mib ?? 0)} of ${memory(node.memory_mib)}`],
    ['where', node.domains.join(' / ') || '–'],
    ['pool', node.pool ?? '–'],
    ['unhealthy GPUs', node.unhealthy.join(', ') || 'none'],
    ['labels', node.labels.join(', ') || '–'],
    ...(node.lease_ends ? [['lease ends', node.lease_ends] as [string, string]] : []),
  ];
}
