/** Where in the dashboard one is. All of it is after the `#`, so that every link is a plain link. */
import { signal } from '@preact/signals';

export type Route = { page: string; rest: string[]; query: URLSearchParams };

/** Reads what follows the `#` of an address: `#/jobs/7?tab=logs`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean).map(decoded);
  return { page: parts[0] ?? 'cluster', rest: parts.slice(1), query: new URLSearchParams(query) };
}

/** The address of a page, without what is empty in its query. */
export function link(path: string, query: Record<string, string | undefined> = {}): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(filled).toString();
  return `#/${path}${text ? `?${text}` : ''}`;
}

export const jobLink = (id: number) => link(`jobs/${id}`);
export const nodeLink = (name: string) => link(`nodes/${encodeURIComponent(name)}`);

export const route = signal<Route>({ page: 'cluster', rest: [], query: new URLSearchParams() });

/** Changes the query of the present page without a step in the browser's history. */
export function setQuery(changes: Record<string, string | undefined>) {
  const { page, rest, query } = route.value;
  const next = { ...Object.fromEntries(query), ...changes };
  const path = [page, ...rest.map(encodeURIComponent)].join('/');
  history.replaceState(null, '', link(path, next));
  read();
}

function read() {
  route.value = parseRoute(location.hash);
}

/** Follows the address from now on. */
export function startRoutes() {
  addEventListener('hashchange', read);
  read();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
