/** What a piece of a GPU is painted with. Colour never stands alone: shapes and words say the same. */
import type { Held, MapJob, MapNode } from '../api/types';

export type Mode = 'state' | 'team' | 'job' | 'activity';
export const MODES: [Mode, string][] = [
  ['state', 'State'],
  ['team', 'Team'],
  ['job', 'Job'],
  ['activity', 'Activity'],
];

/** Colours of the theme, read once from the style sheet. */
export type Palette = {
  isDark: boolean;
  paper: string;
  frame: string;
  line: string;
  ink: string;
  faint: string;
  free: string;
  freeEdge: string;
  held: string;
  starting: string;
  paused: string;
  stopping: string;
  sick: string;
  unseen: string;
  accent: string;
  teams: string[];
  activity: string[];
  unmeasured: string;
};

export const TEAMS = 10;

export function readPalette(element: Element, isDark: boolean): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    isDark,
    paper: read('paper'),
    frame: read('surface'),
    line: read('line'),
    ink: read('ink'),
    faint: read('ink-2'),
    free: read('map-free'),
    freeEdge: read('map-free-edge'),
    held: read('run'),
    starting: read('start'),
    paused: read('pause'),
    stopping: read('stop'),
    sick: read('bad'),
    unseen: read('unseen'),
    accent: read('accent'),
    teams: Array.from({ length: TEAMS }, (_, index) => read(`team-${index}`)),
    activity: Array.from({ length: 5 }, (_, index) => read(`busy-${index}`)),
    unmeasured: read('unmeasured'),
  };
}

/** To whom a job is accounted: its team, or its queue where it has none. */
export const teamOf = (job: MapJob): string => job.team ?? job.queue;

/** Where the colours that teams have been given are kept. */
const KEY = 'muster-teams';

/** Teams in the order in which they were first seen: each has the colour of its place. */
const given: string[] = read();

function read(): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((team) => typeof team === 'string') : [];
  } catch {
    // Where nothing may be kept, or somebody else wrote there, colours begin anew.
    return [];
  }
}

/**
 * A colour for each team. Who has one keeps it: a team that comes or goes must not change what the
 * colours of the others mean to somebody who looks.
 */
export function rankTeams(jobs: Iterable<MapJob>): Map<string, number> {
  const present = new Set<string>();
  for (const job of jobs) present.add(teamOf(job));
  return new Map([...present].sort().map((team) => [team, teamColour(team)]));
}

/** The colour of one team, which it has on every page and still has tomorrow. */
export function teamColour(team: string): number {
  if (!given.includes(team)) {
    given.push(team);
    try {
      localStorage.setItem(KEY, JSON.stringify(given.slice(0, 1000)));
    } catch {
      // It has the colour for as long as the page is open.
    }
  }
  return given.indexOf(team) % TEAMS;
}

/** A hue for a job that is far from those of its neighbours in number. */
export function jobColour(id: number, isDark: boolean): string {
  const hue = (id * 137.508) % 360;
  const tone = Math.floor(id / 3) % 3;
  const light = isDark ? 52 + tone * 7 : 42 + tone * 6;
  return `hsl(${hue.toFixed(0)} ${isDark ? 48 : 52}% ${light}%)`;
}

/** The step of a busy figure, 0 to 4. */
export const busyStep = (busy: number): number => Math.min(4, Math.floor(busy / 200));

/** The colour of a held piece. */
export function heldColour(
  held: Held,
  job: MapJob | undefined,
  mode: Mode,
  palette: Palette,
  teams: Map<string, number>,
): string {
  switch (mode) {
    case 'team':
      return job ? palette.teams[teams.get(teamOf(job)) ?? 0]! : palette.held;
    case 'job':
      return jobColour(held.job, palette.isDark);
    case 'activity':
      return held.busy == null ? palette.unmeasured : palette.activity[busyStep(held.busy)]!;
    case 'state':
      return stateColour(job, palette);
  }
}

function stateColour(job: MapJob | undefined, palette: Palette): string {
  switch (job?.state) {
    case 'launching':
    case 'resuming':
      return palette.starting;
    case 'pausing':
    case 'paused':
      return palette.paused;
    case 'stopping':
      return palette.stopping;
    default:
      return palette.held;
  }
}

/** How a node without anything on it looks, by what is the matter with it. */
export function emptyColour(node: MapNode, gpu: number, palette: Palette): string {
  if (node.unhealthy.includes(gpu)) return palette.sick;
  if (node.state !== 'up') return palette.unseen;
  return palette.free;
}
