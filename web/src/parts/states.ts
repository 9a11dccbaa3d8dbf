/** The states of jobs as people see them: a word, a tone and a shape. */
import type { JobView } from '../api/types';

export type Tone = 'run' | 'start' | 'pause' | 'wait' | 'bad' | 'stop' | 'done';

/** Shapes in a square of ten, so that a tone is never told by colour alone. */
export const SHAPES: Record<string, string> = {
  play: 'M2 1l7 4-7 4z',
  ring: 'M5 1a4 4 0 100 8 4 4 0 000-8zm0 1.6a2.4 2.4 0 110 4.8 2.4 2.4 0 010-4.8z',
  clock: 'M5 1a4 4 0 100 8 4 4 0 000-8zm.7 1.5v2.3l1.6 1-.6 1-2.2-1.4V2.5z',
  rise: 'M5 1l4 4H6.2v4H3.8V5H1z',
  bars: 'M2 1.5h2.2v7H2zM5.8 1.5H8v7H5.8z',
  square: 'M2 2h6v6H2z',
  tick: 'M8.3 2L9.4 3.1 4 8.6.8 5.4l1.1-1.1L4 6.4z',
  cross: 'M2.1 1L5 3.9 7.9 1 9 2.1 6.1 5 9 7.9 7.9 9 5 6.1 2.1 9 1 7.9 3.9 5 1 2.1z',
};

export type Look = { word: string; tone: Tone; shape: string };

export function lookOf(job: Pick<JobView, 'state' | 'outcome'>): Look {
  switch (job.state) {
    case 'running':
      return { word: 'running', tone: 'run', shape: 'play' };
    case 'launching':
      return { word: 'launching', tone: 'start', shape: 'rise' };
    case 'resuming':
      return { word: 'resuming', tone: 'start', shape: 'rise' };
    case 'pausing':
      return { word: 'pausing', tone: 'pause', shape: 'bars' };
    case 'paused':
      return { word: 'paused', tone: 'pause', shape: 'bars' };
    case 'queued':
      return { word: 'queued', tone: 'wait', shape: 'ring' };
    case 'waiting':
      return { word: 'waiting', tone: 'wait', shape: 'clock' };
    case 'stopping':
      return { word: 'stopping', tone: 'stop', shape: 'square' };
    case 'ended':
      return ended(job.outcome ?? null);
  }
}

function ended(outcome: string | null): Look {
  if (outcome === 'completed') return { word: 'completed', tone: 'done', shape: 'tick' };
  if (outcome === 'cancelled') return { word: 'cancelled', tone: 'stop', shape: 'square' };
  return { word: outcome ?? 'ended', tone: outcome ? 'bad' : 'done', shape: 'cross' };
}
