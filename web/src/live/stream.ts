/** One stream of server-sent events that comes back by itself when it is lost. */
import { send } from '../api/client';
import { type Message, SseParser } from '../api/sse';

/** The first wait before another try, and the longest. */
const WAIT_MS = 500;
const WAIT_MS_MAX = 15_000;
/** The server says something at least every 15 s: silence for longer is a lost connection. */
const SILENCE_MS_MAX = 40_000;

export type StreamState = 'connecting' | 'live' | 'lost';

type Options = {
  /** Where to ask, each time anew: what was heard already need not come again. */
  path: () => string;
  onMessage: (message: Message) => void;
  /** Told with each piece that comes, also the empty ones that only show that somebody is there. */
  onState: (state: StreamState) => void;
};

/** How long to wait before the next try, with some chance in it so that tabs do not march. */
export function backoff(tries: number, chance: number): number {
  const most = Math.min(WAIT_MS * 2 ** tries, WAIT_MS_MAX);
  return most / 2 + (most / 2) * chance;
}

/** Opens a stream; the function that is returned closes it. */
export function openStream(options: Options): () => void {
  let closed = false;
  let current: AbortController | null = null;
  let wake: () => void = () => {};

  const run = async () => {
    let tries = 0;
    while (!closed) {
      const heard = await readOnce();
      if (closed) return;
      options.onState('lost');
      tries = heard ? 0 : tries + 1;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, backoff(tries, Math.random()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  /** Reads until it breaks; whether anything was heard. */
  const readOnce = async (): Promise<boolean> => {
    const controller = new AbortController();
    current = controller;
    let heard = false;
    let silence = setTimeout(() => controller.abort(), SILENCE_MS_MAX);
    try {
      const response = await send(options.path(), { signal: controller.signal });
      options.onState('live');
      heard = true;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new SseParser();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return heard;
        options.onState('live');
        clearTimeout(silence);
        silence = setTimeout(() => controller.abort(), SILENCE_MS_MAX);
        for (const message of parser.push(value)) options.onMessage(message);
      }
    } catch {
      // Lost, refused or closed: the state says which, and the next try says why.
      return heard;
    } finally {
      clearTimeout(silence);
    }
  };

  const hurry = () => wake();
  addEventListener('online', hurry);
  void run();
  return () => {
    closed = true;
    removeEventListener('online', hurry);
    current?.abort();
    wake();
  };
}
