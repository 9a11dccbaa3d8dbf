/** What happens, as it happens. */
import { useEffect, useState } from 'preact/hooks';
import type { EventView, Page } from '../api/types';
import { clock, full, millis } from '../format';
import { onEvent } from '../live/live';
import { useNow, useResource } from '../live/resource';
import { Empty, Segmented, Shown } from '../parts/parts';
import { nodeLink, route, setQuery } from '../route';
import { Counted } from './job/counted';

/** Lines that are kept while one listens. */
const KEPT_MAX = 1000;

type About = 'all' | 'job' | 'node' | 'trouble';

const TROUBLE = /failed|lost|missed|refused|timed-out|unhealthy|drained|pausing/;

export function eventMatches(event: EventView, about: string, search: string): boolean {
  if (about === 'trouble' && !TROUBLE.test(event.kind)) return false;
  if ((about === 'job' || about === 'node') && !event.kind.startsWith(about)) return false;
  return `${event.kind} ${event.node ?? ''} ${event.text}`
    .toLowerCase()
    .includes(search.toLowerCase());
}

export function EventsPage() {
  const now = useNow(5000);
  const { query } = route.value;
  const about = (query.get('about') ?? 'all') as About;
  const search = query.get('search') ?? '';
  const [isStopped, setStopped] = useState(false);
  const [live, setLive] = useState<EventView[]>([]);
  const past = useResource<Page<EventView>>('/v1/events?limit=500', { on: false });
  useEffect(() => {
    if (isStopped) return;
    return onEvent((event) => setLive((live) => [event, ...live].slice(0, KEPT_MAX)));
  }, [isStopped]);
  return (
    <>
      <div class="head">
        <h1>Events</h1>
        <Segmented<About>
          label="About"
          options={[
            ['all', 'All'],
            ['job', 'Jobs'],
            ['node', 'Nodes'],
            ['trouble', 'Trouble'],
          ]}
          value={about}
          onChange={(about) => setQuery({ about: about === 'all' ? undefined : about })}
        />
        <input
          type="search"
          aria-label="Search events"
          placeholder="job 7, node-2, failed …"
          value={search}
          onInput={(event) => setQuery({ search: event.currentTarget.value || undefined })}
        />
        <span class="grow" />
        <button type="button" aria-pressed={isStopped} onClick={() => setStopped(!isStopped)}>
          {isStopped ? 'Go on' : 'Hold the list'}
        </button>
      </div>
      <div class="panel">
        <Shown of={past} what="events">
          {({ items }) => {
            const known = new Set(live.map((event) => event.id));
            const all = [...live, ...items.filter((event) => !known.has(event.id))];
            const shown = all.filter((event) => eventMatches(event, about, search));
            if (shown.length === 0) return <Empty title="Nothing like that has happened lately" />;
            return (
              <div class="scroll">
                <table aria-label="Events, newest first">
                  <thead>
                    <tr>
                      <th>when</th>
                      <th class="aside">kind</th>
                      <th>what</th>
                      <th class="aside">node</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((event) => (
                      <tr key={event.id}>
                        <td class="nowrap">
                          <time dateTime={event.at} title={full(millis(event.at))}>
                            {clock(millis(event.at), now)}
                          </time>
                        </td>
                        <td class="aside quiet nowrap">{event.kind}</td>
                        <td>
                          <Counted text={event.text} />
                        </td>
                        <td class="aside nowrap">
                          {event.node && <a href={nodeLink(event.node)}>{event.node}</a>}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            );
          }}
        </Shown>
      </div>
    </>
  );
}
