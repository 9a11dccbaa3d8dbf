/** Something of the API that a page shows, asked for again when it may have changed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get, words } from '../api/client';
import type { EventView } from '../api/types';
import { onChange, onEvent, onReturn } from './live';
import { Pace } from './pace';

/** Lists are asked for again at most this often. */
const EVERY_MS = 3000;

export type Resource<T> = {
  data: T | null;
  /** Why the last request failed; what came before it stays. */
  failure: string[] | null;
  asOf: number | null;
  /** Asks at once: for what one has just changed oneself, and for another try. */
  reload: () => void;
};

type Options = {
  /** Which events concern it; all changes without one, none with `false`. */
  on?: ((event: EventView) => boolean) | false;
  everyMs?: number;
  /** What was there stays until the other comes: for spans of time that only move on. */
  keeps?: boolean;
};

/** Fetches `path`; null for nothing yet. */
export function useResource<T>(path: string | null, options: Options = {}): Resource<T> {
  const [shown, setShown] = useState<{ path: string | null; data: T | null; asOf: number | null }>({
    path,
    data: null,
    asOf: null,
  });
  const [failure, setFailure] = useState<string[] | null>(null);
  const pace = useRef<Pace | null>(null);
  const on = useRef(options.on);
  on.current = options.on;
  const { everyMs = EVERY_MS } = options;

  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    const current = new Pace(everyMs, async () => {
      try {
        const data = await get<T>(path, controller.signal);
        if (controller.signal.aborted) return;
        setShown({ path, data, asOf: Date.now() });
        setFailure(null);
      } catch (error) {
        if (!controller.signal.aborted) setFailure(words(error));
      }
    });
    pace.current = current;
    const look = () => current.hidden(document.hidden);
    document.addEventListener('visibilitychange', look);
    const unEvent = onEvent((event) => {
      if (typeof on.current === 'function' && on.current(event)) current.want();
    });
    const unChange = onChange(() => {
      if (on.current === undefined) current.want();
    });
    const unReturn = onReturn(() => current.want());
    look();
    current.want();
    return () => {
      controller.abort();
      current.stop();
      unEvent();
      unChange();
      unReturn();
      document.removeEventListener('visibilitychange', look);
    };
  }, [path, everyMs]);

  const reload = useCallback(() => pace.current?.hurry(), []);
  // What belongs to another address is not shown as if it were this one's.
  const isSame = shown.path === path || (options.keeps && path !== null);
  return { data: isSame ? shown.data : null, failure, asOf: isSame ? shown.asOf : null, reload };
}

/** The time, moving on by itself while somebody looks. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
