/** The map on its canvas: pointing, dragging, zooming, and arrows from node to node. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Mode, type Palette, readPalette } from '../../map/colour';
import { type Direction, neighbour, type Spot, spotAt } from '../../map/find';
import { layoutOf } from '../../map/layout';
import { paint } from '../../map/paint';
import { describe, type MapState } from '../../map/state';
import { fit, pan, reveal, toMap, type View, zoom } from '../../map/view';
import { nodeLink, setQuery } from '../../route';
import { isDark } from '../../theme';
import { Tip } from './tip';

type Props = {
  state: MapState;
  mode: Mode;
  lit: number | null;
  onPoint: (job: number | null) => void;
};

const ARROWS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const HELP = 'Arrows go from node to node, Enter opens one, plus and minus zoom, 0 shows all.';

export function MapView({ state, mode, lit, onPoint }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [room, setScreen] = useState({ width: 0, height: 0 });
  const [view, setView] = useState<View | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const [pointed, setPointed] = useState<{ spot: Spot; x: number; y: number } | null>(null);

  useEffect(() => {
    const measure = () => {
      const width = frame.current?.clientWidth;
      if (width) setScreen({ width, height: roomBelow() });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, []);

  // In steps, so that dragging a window does not lay a large cluster out at each pixel.
  const aspect = Math.round((room.width / Math.max(1, room.height)) * 8) / 8 || 1.5;
  const layout = useMemo(
    () => layoutOf(state.nodes, state.levels.length, aspect),
    [state.shape, aspect],
  );
  const fitted = useMemo(() => fit(layout, room), [layout, room]);
  // A small cluster needs no large frame around it.
  const needed = Math.ceil(layout.height * fitted.scale) + 64;
  const screen = useMemo(
    () => ({ width: room.width, height: Math.min(room.height, needed) }),
    [room, needed],
  );
  const shown = view ?? fitted;

  useEffect(() => {
    setView(null);
  }, [layout]);

  const palette = useMemo<Palette>(
    () => readPalette(document.documentElement, isDark.value),
    [isDark.value],
  );
  useEffect(() => {
    const element = canvas.current!;
    if (screen.width === 0) return;
    const request = requestAnimationFrame(() => {
      const density = devicePixelRatio || 1;
      element.width = Math.round(screen.width * density);
      element.height = Math.round(screen.height * density);
      const context = element.getContext('2d')!;
      context.setTransform(density, 0, 0, density, 0, 0);
      paint(context, { state, layout, view: shown, screen, mode, palette, lit, selected });
    });
    return () => cancelAnimationFrame(request);
  }, [state, layout, shown, screen, mode, palette, lit, selected]);

  const zoomBy = (factor: number, at = { x: screen.width / 2, y: screen.height / 2 }) =>
    setView(zoom(shown, factor, at, fitted.scale * 0.8));

  // Not by an attribute: the browser takes those wheels for ones that cannot be kept from scrolling.
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * 0.002), { x: event.offsetX, y: event.offsetY });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const drag = useDrag(
    (dx, dy) => setView(pan(shown, dx, dy, layout, screen)),
    (factor, at) => zoomBy(factor, at),
  );

  const point = (event: PointerEvent) => {
    if (drag.move(event)) {
      setPointed(null);
      return;
    }
    const at = { x: event.offsetX, y: event.offsetY };
    const { x, y } = toMap(shown, at);
    const spot = spotAt(layout, x, y, (index) => state.nodes[index]?.gpus ?? 0);
    setPointed(spot && { spot, ...at });
    onPoint(spot ? jobAt(state, spot) : null);
  };

  const onKey = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    if (direction) {
      const next = selected === null ? 0 : neighbour(layout, selected, direction);
      setSelected(next);
      const box = layout.nodes[next];
      if (box) setView(reveal(shown, box, screen));
    } else if (event.key === 'Enter' && selected !== null) {
      location.hash = nodeLink(state.nodes[selected]!.name);
    } else if (event.key === '+' || event.key === '=') zoomBy(1.4);
    else if (event.key === '-') zoomBy(1 / 1.4);
    else if (event.key === '0') setView(null);
    else if (event.key === 'Escape') setSelected(null);
    else return;
    event.preventDefault();
  };

  const node = selected === null ? null : state.nodes[selected];
  return (
    <div class="map" ref={frame} style={{ height: `${screen.height + 2}px` }}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={`Map of ${state.nodes.length} nodes. ${HELP} The table shows the same.`}
        onKeyDown={onKey}
        onPointerDown={drag.down}
        onPointerUp={(event) => {
          const wasDragged = drag.up(event);
          const job = pointed && jobAt(state, pointed.spot);
          if (!wasDragged && job) setQuery({ job: String(job) });
        }}
        onPointerMove={point}
        onPointerLeave={() => {
          setPointed(null);
          onPoint(null);
        }}
        onDblClick={(event) => zoomBy(2, { x: event.offsetX, y: event.offsetY })}
      />
      <div class="map-tools">
        <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.5)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.5)}>
          −
        </button>
        <button type="button" aria-label="Show all" onClick={() => setView(null)}>
          ⤢
        </button>
      </div>
      <div class="hidden-text" aria-live="polite">
        {node ? describe(node, state.jobs) : ''}
      </div>
      {pointed && state.nodes[pointed.spot.node] && (
        <Tip state={state} spot={pointed.spot} x={pointed.x} y={pointed.y} screen={screen} />
      )}
      {!pointed && node && selected !== null && layout.nodes[selected] && (
        <Tip
          state={state}
          spot={{ node: selected, gpu: null }}
          x={shown.x + layout.nodes[selected]!.x * shown.scale}
          y={shown.y + (layout.nodes[selected]!.y + layout.nodes[selected]!.height) * shown.scale}
          screen={screen}
        />
      )}
    </div>
  );
}

/** What the window has left for the map, within reason. */
function roomBelow(): number {
  const isNarrow = innerWidth <= 1080;
  const wished = isNarrow ? innerHeight * 0.6 : innerHeight - 200;
  return Math.round(Math.min(isNarrow ? 620 : 900, Math.max(320, wished)));
}

/** The job that holds what is pointed at; of a shared GPU the one with the largest part. */
function jobAt(state: MapState, spot: Spot): number | null {
  const held = state.nodes[spot.node]?.held.filter((held) => held.gpu === spot.gpu) ?? [];
  return held.sort((a, b) => b.milli - a.milli)[0]?.job ?? null;
}

/** One finger or the mouse moves the map; two fingers zoom it. */
function useDrag(
  onPan: (dx: number, dy: number) => void,
  onZoom: (factor: number, at: { x: number; y: number }) => void,
) {
  const held = useRef(new Map<number, { x: number; y: number }>());
  const moved = useRef(0);
  const slack = 4;
  return {
    down: (event: PointerEvent) => {
      if (held.current.size === 0) moved.current = 0;
      held.current.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    /** Whether the pointer drags. */
    move: (event: PointerEvent): boolean => {
      const before = held.current.get(event.pointerId);
      if (!before) return false;
      const now = { x: event.offsetX, y: event.offsetY };
      const other = [...held.current].find(([id]) => id !== event.pointerId)?.[1];
      held.current.set(event.pointerId, now);
      moved.current += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (moved.current < slack) return false;
      if (other) {
        const spread = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        onZoom(spread(now) / Math.max(1, spread(before)), middle);
      } else onPan(now.x - before.x, now.y - before.y);
      return true;
    },
    /** Whether it had been dragged. */
    up: (event: PointerEvent): boolean => {
      held.current.delete(event.pointerId);
      return moved.current >= slack;
    },
  };
}
