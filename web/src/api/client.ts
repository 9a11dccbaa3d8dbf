/** Requests to the API: the token goes with each, and what is refused becomes a `Refusal`. */
import { signOut, token } from '../session';
import type { Problem } from './types';

/** A request that was not carried out, in the words of the server. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.detail || problem.title);
  }

  /** All there is to say about it, hint last. */
  get lines(): string[] {
    const { detail, title, errors, hint } = this.problem;
    const values = (errors ?? []).map((error) => JSON.stringify(error));
    return [detail || title, ...values, ...(hint ? [hint] : [])];
  }
}

type Options = { method?: string; body?: unknown; signal?: AbortSignal };

/** Sends a request; what comes back is its response, whatever its body. */
export async function send(path: string, options: Options = {}): Promise<Response> {
  const sent = token.value;
  const headers: Record<string, string> = { authorization: `Bearer ${sent ?? ''}` };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(path, {
    method: options.method ?? 'GET',
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    cache: 'no-store',
  });
  if (response.ok) return response;
  const problem = await problemOf(response);
  // Only for the token it is about: an answer that comes late says nothing of who is here now.
  if (response.status === 401 && sent !== null && sent === token.value) {
    signOut(problem.detail ?? problem.title);
  }
  throw new Refusal(response.status, problem);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal })).json() as Promise<T>;
}

export async function act(method: string, path: string, body?: unknown): Promise<unknown> {
  const text = await (await send(path, { method, body })).text();
  return text ? JSON.parse(text) : null;
}

/** What a person is told about an error. */
export function words(error: unknown): string[] {
  if (error instanceof Refusal) return error.lines;
  if (error instanceof TypeError) return ['the server cannot be reached'];
  return [error instanceof Error ? error.message : String(error)];
}

async function problemOf(response: Response): Promise<Problem> {
  const known = { status: response.status, title: response.statusText || 'refused' };
  try {
    return { ...known, ...(await response.json()) };
  } catch {
    return known;
  }
}
