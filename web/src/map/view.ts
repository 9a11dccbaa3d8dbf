/** Which part of the map is on the screen: a scale and an offset. */

export type View = { scale: number; x: number; y: number };
export type Size = { width: number; height: number };

/** A GPU never becomes larger than this, in pixels per unit of the layout. */
const SCALE_MAX = 4;
/** Fitting a small cluster does not blow it up to building blocks. */
const FIT_SCALE_MAX = 2.6;
const MARGIN = 12;

/** The whole map, in the middle of the screen. */
export function fit(map: Size, screen: Size): View {
  if (map.width <= 0 || map.height <= 0) return { scale: 1, x: 0, y: 0 };
  const across = (screen.width - 2 * MARGIN) / map.width;
  const down = (screen.height - 2 * MARGIN) / map.height;
  const scale = Math.max(0.001, Math.min(across, down, FIT_SCALE_MAX));
  const x = (screen.width - map.width * scale) / 2;
  return { scale, x, y: MARGIN };
}

/** Zooms so that what is at a point of the screen stays there. */
export function zoom(view: View, factor: number, at: { x: number; y: number }, least: number) {
  const scale = Math.min(SCALE_MAX, Math.max(least, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** Moves the view, keeping some of the map on the screen. */
export function pan(view: View, dx: number, dy: number, map: Size, screen: Size): View {
  const keep = 60;
  const clamp = (value: number, size: number, room: number) =>
    Math.min(room - keep, Math.max(keep - size * view.scale, value));
  return {
    scale: view.scale,
    x: clamp(view.x + dx, map.width, screen.width),
    y: clamp(view.y + dy, map.height, screen.height),
  };
}

/** The point of the map that is at a point of the screen. */
export function toMap(view: View, point: { x: number; y: number }) {
  return { x: (point.x - view.x) / view.scale, y: (point.y - view.y) / view.scale };
}

/** A view in which a box is readable, moved only as far as that needs. */
export function reveal(
  view: View,
  box: { x: number; y: number; width: number; height: number },
  screen: Size,
): View {
  const margin = 24;
  const left = view.x + box.x * view.scale;
  const top = view.y + box.y * view.scale;
  const right = left + box.width * view.scale;
  const bottom = top + box.height * view.scale;
  const shift = (low: number, high: number, room: number) =>
    low < margin ? margin - low : high > room - margin ? room - margin - high : 0;
  return {
    scale: view.scale,
    x: view.x + shift(left, right, screen.width),
    y: view.y + shift(top, bottom, screen.height),
  };
}
