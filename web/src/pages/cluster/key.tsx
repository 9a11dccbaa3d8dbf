/** What the colours and shapes of the map mean. */
import { type Mode, rankTeams } from '../../map/colour';
import type { MapState } from '../../map/state';
import { SHAPES } from '../../parts/states';

/** Colour, words, and the shape that the map draws into the cell. */
type Entry = [id: string, colour: string, text: string, shape?: string];

const STATES: Entry[] = [
  ['free', 'var(--map-free)', 'free'],
  ['held', 'var(--run)', 'running'],
  ['start', 'var(--start)', 'starting', 'play'],
  ['pause', 'var(--pause)', 'paused', 'bars'],
  ['stop', 'var(--stop)', 'stopping', 'square'],
  ['bad', 'var(--bad)', 'unhealthy', 'cross'],
];

export function Key({ state, mode }: { state: MapState; mode: Mode }) {
  const entries = keyOf(state, mode);
  return (
    <div class="key">
      {entries.map(([id, colour, text, shape]) => (
        <span key={id}>
          <i class={id === 'free' ? 'outlined' : ''} style={{ background: colour }}>
            {shape && (
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <path d={SHAPES[shape]} />
              </svg>
            )}
          </i>
          {text}
        </span>
      ))}
      <span>
        <i class="hatched" />
        drained or not seen
      </span>
    </div>
  );
}

function keyOf(state: MapState, mode: Mode): Entry[] {
  switch (mode) {
    case 'state':
      return STATES;
    case 'team':
      return [...rankTeams(state.jobs.values())].map(([team, index]) => [
        team,
        `var(--team-${index})`,
        team,
      ]);
    case 'job':
      return [['job', 'var(--run)', 'each job has a hue of its own; its number is in its cells']];
    case 'activity':
      return [
        ...['0–20% busy', '20–40%', '40–60%', '60–80%', '80–100%'].map(
          (text, step): Entry => [`busy-${step}`, `var(--busy-${step})`, text],
        ),
        ['unmeasured', 'var(--unmeasured)', 'not measured'],
      ];
  }
}
