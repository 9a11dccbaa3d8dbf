/** The jobs that hold GPUs, largest first. Pointing at one lights its gang on the map. */
import { useState } from 'preact/hooks';
import type { MapJob } from '../../api/types';
import { counted, gpus } from '../../format';
import { jobColour, type Mode, rankTeams, teamOf } from '../../map/colour';
import type { MapState } from '../../map/state';
import { Empty, Panel, StateTag } from '../../parts/parts';
import { lookOf } from '../../parts/states';
import { jobLink, setQuery } from '../../route';
import { isDark } from '../../theme';

/** Rows before one asks for more. */
const SHOWN = 14;

type Props = {
  state: MapState;
  mode: Mode;
  pinned: number | null;
  onPoint: (job: number | null) => void;
};

export function Gangs({ state, mode, pinned, onPoint }: Props) {
  const [isAll, setAll] = useState(false);
  const jobs = [...state.jobs.values()].sort((a, b) => b.gpus_milli - a.gpus_milli || a.id - b.id);
  const shown = isAll ? jobs : jobs.slice(0, SHOWN);
  const teams = rankTeams(state.jobs.values());
  const colour = (job: MapJob) =>
    mode === 'job'
      ? jobColour(job.id, isDark.value)
      : mode === 'team'
        ? `var(--team-${teams.get(teamOf(job)) ?? 0})`
        : `var(--${lookOf({ state: job.state }).tone})`;
  return (
    <Panel title="Holding GPUs" note={counted(jobs.length, 'job')}>
      {jobs.length === 0 && <Empty title="Nothing runs">Every GPU is free.</Empty>}
      <ul class="gangs" onPointerLeave={() => onPoint(null)}>
        {shown.map((job) => (
          <li key={job.id} onPointerEnter={() => onPoint(job.id)}>
            <button
              type="button"
              class="plain"
              aria-pressed={pinned === job.id}
              aria-label={`Light job ${job.id} on the map`}
              onFocus={() => onPoint(job.id)}
              onBlur={() => onPoint(null)}
              onClick={() => setQuery({ job: pinned === job.id ? undefined : String(job.id) })}
            >
              <i style={{ background: colour(job) }} aria-hidden="true" />
            </button>
            <a href={jobLink(job.id)}>
              <span class="mono">{job.id}</span> {job.name}
            </a>
            <span class="quiet team">{teamOf(job)}</span>
            {job.state !== 'running' && <StateTag job={job} />}
            <strong>{gpus(job.gpus_milli)}</strong>
          </li>
        ))}
      </ul>
      {jobs.length > SHOWN && (
        <button type="button" class="plain more" onClick={() => setAll(!isAll)}>
          {isAll ? 'show fewer' : `show all ${jobs.length}`}
        </button>
      )}
    </Panel>
  );
}
