/** What is around every page: navigation, the figures of the cluster, and the state of the stream. */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, words } from './api/client';
import type { ClusterView, Identity } from './api/types';
import { ago } from './format';
import { cluster, heardAt, type Kind, listenTo, stream } from './live/live';
import { useNow, useResource } from './live/resource';
import { Mark } from './mark';
import { Failure, Loading } from './parts/parts';
import { Readout } from './readout';
import { link, route } from './route';
import { identity, signOut, token } from './session';
import { SignIn } from './signin';
import { isDark, switchTheme } from './theme';

type Page = { name: string; title: string; stream: Kind; load: () => Promise<ComponentType> };

/** Every page is a script of its own, fetched when it is first looked at. */
const PAGES: Page[] = [
  page('cluster', 'Cluster', 'map', async () => (await import('./pages/cluster')).ClusterPage),
  page('jobs', 'Jobs', 'events', async () => (await import('./pages/jobs')).JobsPage),
  page('plan', 'Plan', 'events', async () => (await import('./pages/plan')).PlanPage),
  page('teams', 'Teams', 'events', async () => (await import('./pages/teams')).TeamsPage),
  page('waste', 'Waste', 'events', async () => (await import('./pages/waste')).WastePage),
  page('nodes', 'Nodes', 'events', async () => (await import('./pages/nodes')).NodesPage),
  page('events', 'Events', 'events', async () => (await import('./pages/events')).EventsPage),
  page(
    'settings',
    'Settings',
    'events',
    async () => (await import('./pages/settings')).SettingsPage,
  ),
];

function page(name: string, title: string, stream: Kind, load: Page['load']): Page {
  return { name, title, stream, load };
}

export function Shell() {
  if (token.value === null) return <SignIn />;
  return <Inside key={token.value} />;
}

function Inside() {
  const [failure, setFailure] = useState<string[] | null>(null);
  const page = PAGES.find((page) => page.name === route.value.page);
  useEffect(() => {
    get<Identity>('/v1/whoami').then(
      (who) => {
        identity.value = who;
      },
      (error) => setFailure(words(error)),
    );
    return () => listenTo(null);
  }, []);
  // A job's page is below the list of jobs and listens to events as it does.
  useEffect(() => listenTo(page?.stream ?? 'events'), [page?.stream]);
  useEffect(() => {
    document.title = page ? `${page.title} – Muster` : 'Muster';
  }, [page]);
  return (
    <div class="shell">
      <button
        type="button"
        class="skip"
        onClick={() => document.getElementById('content')?.focus()}
      >
        skip to the content
      </button>
      <Rail />
      <Readout />
      <main id="content" tabIndex={-1}>
        <Lost />
        {failure && <Failure lines={failure} />}
        {page ? <Lazy key={page.name} page={page} /> : <Unknown />}
      </main>
    </div>
  );
}

function Rail() {
  const who = identity.value;
  const nav = useRef<HTMLElement>(null);
  const current = route.value.page;
  // On a phone the pages are a row that scrolls: the present one is to be seen.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (!nav.current || !link) return;
    nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.clientWidth) / 2;
  }, [current]);
  return (
    <aside class="rail" aria-label="Muster">
      <a class="mark" href="#/">
        <Mark />
        muster
      </a>
      <nav aria-label="Pages" ref={nav}>
        {PAGES.map((page) => (
          <a
            key={page.name}
            href={link(page.name)}
            aria-current={current === page.name ? 'page' : undefined}
          >
            {page.title}
          </a>
        ))}
      </nav>
      <div class="who">
        {who && (
          <span>
            <strong>{who.user}</strong>
            {who.grants.map((grant) => grant.role + (grant.queue ? ` in ${grant.queue}` : ''))[0]}
          </span>
        )}
        <div>
          <button type="button" onClick={switchTheme}>
            {isDark.value ? 'Light' : 'Dark'}
          </button>
          <button type="button" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      </div>
    </aside>
  );
}

/** Says that what is shown is no longer what is. */
function Lost() {
  const now = useNow();
  if (stream.value !== 'lost') return null;
  return (
    <div class="banner" role="alert">
      <strong>The server does not answer.</strong>
      <span>Data as of {ago(heardAt.value, now)}; trying again by itself.</span>
    </div>
  );
}

function Lazy({ page }: { page: Page }) {
  const [loaded, setLoaded] = useState<{ Component: ComponentType } | null>(null);
  const [failure, setFailure] = useState<string[] | null>(null);
  useEffect(() => {
    page.load().then(
      (Component) => setLoaded({ Component }),
      (error) => setFailure(words(error)),
    );
  }, [page]);
  if (failure) return <Failure lines={[...failure, 'reload the page to try again']} />;
  return loaded ? <loaded.Component /> : <Loading what={page.title} />;
}

function Unknown() {
  return (
    <div class="empty">
      <strong>There is no such page.</strong>
      <a href="#/">To the cluster</a>
    </div>
  );
}

/** The figures where the map does not bring them. */
export function useCluster(): ClusterView | null {
  const isMap = route.value.page === 'cluster';
  const { data } = useResource<ClusterView>(isMap ? null : '/v1/cluster');
  useEffect(() => {
    if (data) cluster.value = data;
  }, [data]);
  return cluster.value;
}
