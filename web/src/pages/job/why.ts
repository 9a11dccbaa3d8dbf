/** The answer to "why" taken apart: what keeps the job, when it starts, and what would help. */
import type { WhyView } from '../../api/types';
import { ago, clock } from '../../format';

export type Why = {
  /** What keeps it, in the server's words. */
  reasons: string[];
  /** What would start it now, or sooner. */
  helps: string[];
  /** What else there is to say: of its place, of its size, of what befell it. */
  remarks: string[];
  expected: number | null;
  latest: number | null;
};

const BECAUSE = 'because: ';
const WOULD = 'would start ';
/** Lines that say in words what is shown as moments. */
const SHOWN_APART = /^(probably starts at|starts at .* at the latest)/;

export function readWhy(view: WhyView): Why {
  // The first line says its state, which stands on top of the page.
  const lines = view.text.split('\n').slice(1).filter(Boolean);
  const after = (prefix: string) =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  const isPlain = (line: string) =>
    !line.startsWith(BECAUSE) && !line.startsWith(WOULD) && !SHOWN_APART.test(line);
  const data = view.why as { estimated_start?: number | null; latest_start?: number | null };
  return {
    reasons: after(BECAUSE),
    helps: after(WOULD),
    remarks: lines.filter(isPlain),
    expected: data.estimated_start ?? null,
    latest: data.latest_start ?? null,
  };
}

/** When something would start: now, soon, or at an hour. */
export function startWords(at: number, now: number): string {
  return at <= now + 1000 ? 'now' : `${ago(at, now)}, at ${clock(at, now)}`;
}
