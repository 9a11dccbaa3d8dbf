/** The map on its canvas: pointing, dragging, zooming, and arrows from node to node. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Mode, type Palette, readPalette } from '../../map/colour';
import { Drag } from '../../map/drag';
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

  const middle = { x: screen.width / 2, y: screen.height / 2 };
  // From the view as it will be: two fingers move between two paintings.
  const zoomBy = (factor: number, at = middle) =>
    setView((view) => zoom(view ?? fitted, factor, at, fitted.scale * 0.8));

  // Not by an attribute: the browser takes those wheels for ones that cannot be kept from scrolling.
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * 0.002), { x: event.offsetX, y: event.offsetY });
    };
    // One finger may scroll the page; two are for the map alone.
    const onTouch = (event: TouchEvent) => {
      if (event.touches.length > 1) event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('touchmove', onTouch, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchmove', onTouch);
    };
  });

  const drag = useRef(new Drag()).current;

  const point = (event: PointerEvent) => {
    const at = { x: event.offsetX, y: event.offsetY };
    const onPan = (dx: number, dy: number) =>
      setView((view) => pan(view ?? fitted, dx, dy, layout, screen));
    if (drag.move(event.pointerId, at, onPan, zoomBy)) {
      setPointed(null);
      return;
    }
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
        onPointerDown={(event) => {
          drag.down(event.pointerId, { x: event.offsetX, y: event.offsetY });
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerCancel={(event) => drag.cancel(event.pointerId)}
        onPointerUp={(event) => {
          const wasDragged = drag.up(event.pointerId);
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
        <button
          type="button"
          aria-label="Show all"
          disabled={view === null}
          onClick={() => setView(null)}
        >
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
