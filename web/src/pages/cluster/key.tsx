/** What the colours and shapes of the map mean. */
import { type Mode, rankTeams } from '../../map/colour';
import type { MapState } from '../../map/state';

const STATES: [string, string, string][] = [
  ['free', 'var(--map-free)', 'free'],
  ['held', 'var(--run)', 'running'],
  ['start', 'var(--start)', 'starting ▸'],
  ['pause', 'var(--pause)', 'paused ❙❙'],
  ['stop', 'var(--stop)', 'stopping ▪'],
  ['bad', 'var(--bad)', 'unhealthy ✕'],
];

export function Key({ state, mode }: { state: MapState; mode: Mode }) {
  const entries = keyOf(state, mode);
  return (
    <div class="key">
      {entries.map(([id, colour, text]) => (
        <span key={id}>
          <i class={id === 'free' ? 'outlined' : ''} style={{ background: colour }} />
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

function keyOf(state: MapState, mode: Mode): [string, string, string][] {
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
          (text, step) => [`busy-${step}`, `var(--busy-${step})`, text] as [string, string, string],
        ),
        ['unmeasured', 'var(--unmeasured)', 'not measured'],
      ];
  }
}
