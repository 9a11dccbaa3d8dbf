/** Where a job is, or was last, drawn on the part of the topology that holds it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JobDetail, MapView } from '../../api/types';
import { counted } from '../../format';
import { useResource } from '../../live/resource';
import { readPalette } from '../../map/colour';
import { layoutOf } from '../../map/layout';
import { paint } from '../../map/paint';
import type { MapState } from '../../map/state';
import { fit } from '../../map/view';
import { Empty, Panel } from '../../parts/parts';
import { isDark } from '../../theme';
import { around } from './around';

export function Placement({ detail }: { detail: JobDetail }) {
  const attempt = detail.attempts.at(-1);
  const hasPlaces = !!attempt && attempt.places.length > 0;
  const whole = useResource<MapView>(hasPlaces ? '/v1/map' : null, { on: false });
  const state = useMemo(
    () => (whole.data && attempt ? around(whole.data, detail.job.id, attempt) : null),
    [whole.data, attempt?.places],
  );
  const nodes = new Set(attempt?.places.map((place) => place.node)).size;
  const isOver = detail.job.state === 'ended' || detail.job.nodes.length === 0;
  return (
    <Panel
      title={isOver ? 'Where it was last' : 'Where it is'}
      note={hasPlaces ? counted(nodes, 'node') : undefined}
    >
      {!hasPlaces && <Empty title="It has no place yet" />}
      {state && <Drawing state={state} job={detail.job.id} />}
      {attempt && hasPlaces && (
        <details class="inside">
          <summary>{counted(attempt.places.length, 'task')}, node by node</summary>
          <table>
            <thead>
              <tr>
                <th class="right">task</th>
                <th>node</th>
                <th>GPUs</th>
              </tr>
            </thead>
            <tbody>
              {attempt.places.map((place, index) => (
                <tr key={index}>
                  <td class="right">{index}</td>
                  <td>{place.node}</td>
                  <td>
                    {place.gpus.join(', ') || 'none'}
                    {place.share_milli ? `, ${place.share_milli / 10}% of it` : ''}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </Panel>
  );
}

function Drawing({ state, job }: { state: MapState; job: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(canvas.current!.parentElement!);
    return () => observer.disconnect();
  }, []);
  const layout = useMemo(() => layoutOf(state.nodes, state.levels.length, 2), [state]);
  const scale = Math.min(1.6, Math.max(0, width - 24) / Math.max(1, layout.width));
  const height = Math.ceil(layout.height * scale) + 24;
  useEffect(() => {
    const element = canvas.current!;
    if (width === 0) return;
    const density = devicePixelRatio || 1;
    element.width = Math.round(width * density);
    element.height = Math.round(height * density);
    const context = element.getContext('2d')!;
    context.setTransform(density, 0, 0, density, 0, 0);
    const screen = { width, height };
    const palette = readPalette(document.documentElement, isDark.value);
    const view = fit(layout, screen);
    paint(context, {
      state,
      layout,
      view,
      screen,
      mode: 'state',
      palette,
      lit: job,
      selected: null,
    });
  }, [state, layout, width, height, isDark.value]);
  return (
    <div class="drawing">
      <canvas
        ref={canvas}
        style={{ height: `${height}px` }}
        role="img"
        aria-label="Its GPUs among those of the nodes around it; the list below says the same"
      />
    </div>
  );
}
