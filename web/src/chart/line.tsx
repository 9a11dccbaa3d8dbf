/** Lines over time. The library that draws them is fetched when the first is shown. */
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { isDark } from '../theme';

export type Line = {
  label: string;
  /** A variable of the style sheet, without its dashes. */
  colour: string;
  values: (number | null)[];
  isFilled?: boolean;
  /** Dashes, so that lines differ by more than colour. */
  dash?: number[];
};

type Props = {
  /** Moments in milliseconds. */
  times: number[];
  lines: Line[];
  height?: number;
  /** How a value is written. */
  format: (value: number) => string;
  /** What the chart shows, for those who do not see it. */
  label: string;
  /** The least that the scale goes up to. */
  top?: number;
};

export function LineChart({ times, lines, height = 190, format, label, top = 1 }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const dark = isDark.value;
  useEffect(() => {
    let plot: uPlot | null = null;
    let isGone = false;
    const element = frame.current!;
    const observer = new ResizeObserver(([entry]) => {
      plot?.setSize({ width: entry!.contentRect.width, height });
    });
    Promise.all([import('uplot'), import('./uplot.css')]).then(([{ default: Plot }]) => {
      if (isGone) return;
      plot = new Plot(
        optionsOf(element, lines, height, format, top),
        [times.map((time) => time / 1000), ...lines.map((line) => line.values)],
        element,
      );
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      plot?.destroy();
    };
  }, [times, lines, height, dark]);
  return <div class="chart" ref={frame} role="img" aria-label={label} />;
}

function optionsOf(
  element: HTMLElement,
  lines: Line[],
  height: number,
  format: (value: number) => string,
  top: number,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour('ink-2'),
    grid: { stroke: colour('line-2'), width: 1 },
    ticks: { stroke: colour('line'), width: 1, size: 4 },
    font: '11px "IBM Plex Sans Variable", system-ui, sans-serif',
  };
  return {
    width: element.clientWidth,
    height,
    legend: { live: true },
    scales: { y: { range: (_, __, max) => [0, Math.max(max ?? top, top) * 1.06] } },
    axes: [
      {
        ...axis,
        space: 80,
        values: (_, ticks, __, ___, step) => ticks.map((tick) => tickWords(tick, step)),
      },
      { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [
      { label: 'at', value: (_, value) => (value == null ? '–' : timeWords(value)) },
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.label,
          stroke: colour(line.colour),
          width: 1.6,
          dash: line.dash,
          fill: line.isFilled ? `${colour(line.colour)}2e` : undefined,
          points: { show: false },
          value: (_, value) => (value == null ? '–' : format(value)),
        }),
      ),
    ],
  };
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

/** The hour; the day where one begins, and seconds where they tell ticks apart. */
function tickWords(seconds: number, step: number): string {
  const moment = new Date(seconds * 1000);
  if (step < 60) return moment.toLocaleTimeString('en-GB');
  const isMidnight = moment.getHours() === 0 && moment.getMinutes() === 0;
  return isMidnight ? DAY.format(moment) : TIME.format(moment);
}

const timeWords = (seconds: number) =>
  `${DAY.format(seconds * 1000)} ${TIME.format(seconds * 1000)}`;
