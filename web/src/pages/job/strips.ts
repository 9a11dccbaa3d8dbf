/** How busy a GPU was over time, as stretches of one height. */

/** A stretch from one step until before another, and how busy; null where nobody measured. */
export type Stretch = { from: number; to: number; percent: number | null };

/** Neighbours that look alike become one: a strip has as few pieces as can be seen. */
export function stretches(steps: (number | null)[]): Stretch[] {
  const out: Stretch[] = [];
  steps.forEach((busy, at) => {
    const percent = busy == null ? null : Math.round(busy / 10);
    const last = out.at(-1);
    if (last && last.percent === percent) last.to = at + 1;
    else out.push({ from: at, to: at + 1, percent });
  });
  return out;
}

/** Who had a GPU: ranks, with the group in front where it is not the first. */
export const taskWords = (tasks: { group: number; rank: number }[]): string =>
  tasks.map(({ group, rank }) => (group === 0 ? `${rank}` : `${group}/${rank}`)).join(', ') || '–';
