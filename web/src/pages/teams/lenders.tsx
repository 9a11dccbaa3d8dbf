/** Who lends to whom: ribbons from lenders to borrowers, and the same as a table. */
import { useState } from 'preact/hooks';
import type { QueueView } from '../../api/types';
import { aligned, gpus } from '../../format';
import { teamColour } from '../../map/colour';
import { Empty, Panel } from '../../parts/parts';
import { type End, type Flow, flowsOf, isLent } from './lending';
import { type Bar, barOf, ordered, outline, type Picture, pictureOf, type Ribbon } from './ribbons';

/** Rows before one asks for more. */
const SHOWN = 12;
/** The ribbons are drawn this wide and stretched to the room there is. */
const WIDTH = 100;

/** What is pointed at: a bar, or one pair by the bars at its ends. */
type Lit = { ids: string[]; isKept: boolean } | null;

export function Lenders({ queues }: { queues: QueueView[] }) {
  const flows = ordered(flowsOf(queues));
  return (
    <Panel title="Who lends to whom" note="GPUs of a guarantee that others use now">
      {flows.some(isLent) ? <Pairs flows={flows} /> : <Nobody flows={flows} />}
    </Panel>
  );
}

function Nobody({ flows }: { flows: Flow[] }) {
  const taken = flows.reduce((sum, flow) => sum + flow.milli, 0);
  return (
    <Empty title="Nobody lends anything now.">
      {taken > 0
        ? `${gpus(taken)} GPUs are used beyond guarantees, and none of them is another’s.`
        : 'Every queue is within what it is guaranteed.'}
    </Empty>
  );
}

function Pairs({ flows }: { flows: Flow[] }) {
  const [chosen, setLit] = useState<Lit>(null);
  const picture = pictureOf(flows);
  const bars = [...picture.from, ...picture.to];
  // What was pointed at may be gone by now.
  const lit = chosen?.ids.every((id) => bars.some((bar) => bar.id === id)) ? chosen : null;
  const point = (ids: string[] | null) => {
    if (!lit?.isKept) setLit(ids && { ids, isKept: false });
  };
  const keep = (id: string) =>
    setLit(lit?.isKept && lit.ids[0] === id ? null : { ids: [id], isKept: true });
  const isLit = (from: string, to: string) =>
    lit?.ids.every((id) => id === from || id === to) ?? false;
  return (
    <>
      <div class={`inside lending ${lit ? 'is-lit' : ''}`}>
        <Ends title="lent by" bars={picture.from} {...{ picture, lit, point, keep }} />
        <Ribbons picture={picture} isLit={isLit} point={point} />
        <Ends title="borrowed by" bars={picture.to} {...{ picture, lit, point, keep }} />
      </div>
      <Table flows={flows} picture={picture} isLit={isLit} point={point} />
      <p class="inside quiet">{rule(flows)}</p>
    </>
  );
}

/** The rule by which the pairs are made, and what the ends are that are no queues. */
function rule(flows: Flow[]): string {
  const kinds = new Set(flows.flatMap(({ from, to }) => [from.kind, to.kind]));
  return [
    'Nearest first: what a queue leaves goes to its siblings before it goes further. GPUs are alike, so of those who are as near each lends in proportion.',
    kinds.has('undivided') && 'Undivided is what a queue is guaranteed and none of those below it.',
    kinds.has('free') && 'What nobody is guaranteed is lent by nobody.',
  ]
    .filter(Boolean)
    .join(' ');
}

type Pointing = { point: (ids: string[] | null) => void };
type Lighting = Pointing & { isLit: (from: string, to: string) => boolean };

function Ribbons({ picture, isLit, point }: Lighting & { picture: Picture }) {
  const { from, to, ribbons, height } = picture;
  const colours = new Map([...from, ...to].map((bar) => [bar.id, colourOf(bar.end)]));
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      height={height}
      aria-hidden="true"
    >
      <defs>
        {ribbons.map((ribbon, index) => (
          <linearGradient key={index} id={`ribbon-${index}`}>
            <stop offset="0.15" stop-color={colours.get(ribbon.from)} />
            <stop offset="0.85" stop-color={colours.get(ribbon.to)} />
          </linearGradient>
        ))}
      </defs>
      {ribbons.map((ribbon, index) => (
        <path
          key={ribbon.from + ribbon.to}
          class={isLit(ribbon.from, ribbon.to) ? 'lit' : ''}
          d={outline(ribbon, WIDTH)}
          fill={`url(#ribbon-${index})`}
          onPointerEnter={() => point([ribbon.from, ribbon.to])}
          onPointerLeave={() => point(null)}
        />
      ))}
    </svg>
  );
}

type EndsProps = Pointing & {
  title: string;
  bars: Bar[];
  picture: Picture;
  lit: Lit;
  keep: (id: string) => void;
};

/** The bars of one side with their words. Pointing at one lights its ribbons; a click keeps it lit. */
function Ends({ title, bars, picture, lit, point, keep }: EndsProps) {
  return (
    <div class="ends">
      <h3>{title}</h3>
      <ul aria-label={title} style={{ height: `${picture.height}px` }}>
        {bars.map((bar) => {
          const part = partOf(bar, picture.ribbons, lit);
          const [top, bottom] = bar.at;
          return (
            <li
              key={bar.id}
              class={part === 0 ? 'dim' : ''}
              style={{ top: `${top}px`, height: `${bottom - top}px` }}
            >
              <i class={bar.end.kind} style={{ color: colourOf(bar.end) }} aria-hidden="true" />
              <button
                type="button"
                class="plain"
                title={bar.end.name}
                aria-pressed={lit?.isKept === true && lit.ids[0] === bar.id}
                onPointerEnter={() => point([bar.id])}
                onPointerLeave={() => point(null)}
                onFocus={() => point([bar.id])}
                onBlur={() => point(null)}
                onClick={() => keep(bar.id)}
              >
                <Name end={bar.end} />
                <span class="amount">
                  {part < bar.milli && part > 0 && (
                    <>
                      <b>{gpus(part)}</b> of{' '}
                    </>
                  )}
                  {gpus(bar.milli)}
                  {bar.end.kind === 'undivided' && ' undivided'}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What of a bar flows from or to what is lit: all of it where nothing is. */
function partOf(bar: Bar, ribbons: Ribbon[], lit: Lit): number {
  if (!lit || (lit.ids.length === 1 && lit.ids[0] === bar.id)) return bar.milli;
  return ribbons
    .filter(({ from, to }) => from === bar.id || to === bar.id)
    .filter(({ from, to }) => lit.ids.every((id) => id === from || id === to))
    .reduce((sum, ribbon) => sum + ribbon.milli, 0);
}

/** A name of which the last part stays readable where there is little room. */
function Name({ end }: { end: End }) {
  const cut = end.name.lastIndexOf('/') + 1;
  return (
    <span class="name">
      {cut > 0 && <span class="path">{end.name.slice(0, cut)}</span>}
      <span class="last">{end.name.slice(cut)}</span>
    </span>
  );
}

type TableProps = Lighting & { flows: Flow[]; picture: Picture };

function Table({ flows, picture, isLit, point }: TableProps) {
  const [isAll, setAll] = useState(false);
  const figures = aligned(flows.map((flow) => flow.milli));
  const shown = isAll ? flows : flows.slice(0, SHOWN);
  return (
    <>
      <table class="pairs" aria-label="Who lends to whom">
        <thead>
          <tr>
            <th>from</th>
            <th>to</th>
            <th class="right">GPUs</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((flow, index) => {
            const from = barOf(picture, 'from', flow.from);
            const to = barOf(picture, 'to', flow.to);
            return (
              <tr
                key={index}
                class={isLit(from, to) ? 'lit' : ''}
                onPointerEnter={() => point([from, to])}
                onPointerLeave={() => point(null)}
              >
                <td>
                  <Name end={flow.from} />
                  {flow.from.kind === 'undivided' && <span class="quiet">, undivided</span>}
                </td>
                <td>
                  <Name end={flow.to} />
                </td>
                <td class="right">{figures[index]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {flows.length > SHOWN && (
        <button type="button" class="plain more" onClick={() => setAll(!isAll)}>
          {isAll ? 'show fewer' : `show all ${flows.length}`}
        </button>
      )}
    </>
  );
}

/** The colour of its team; grey for what is nobody's or stands for several. */
function colourOf(end: End): string {
  const isTeam = end.kind === 'queue' || end.kind === 'undivided';
  return isTeam ? `var(--team-${teamColour(end.name)})` : 'var(--unmeasured)';
}
