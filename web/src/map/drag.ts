/** Fingers and mouse on the map: one moves it, two zoom it, and a touch that hardly moves is a click. */

export type Point = { x: number; y: number };

/** So many pixels of trembling are no movement. */
const SLACK = 4;

export class Drag {
  private readonly held = new Map<number, Point>();
  private moved = 0;
  private hadTwo = false;

  down(id: number, at: Point) {
    if (this.held.size === 0) {
      this.moved = 0;
      this.hadTwo = false;
    }
    this.held.set(id, at);
    if (this.held.size > 1) this.hadTwo = true;
  }

  /** Whether the pointer drags; what that does to the view is told to one of the two. */
  move(
    id: number,
    now: Point,
    onPan: (dx: number, dy: number) => void,
    onZoom: (factor: number, at: Point) => void,
  ): boolean {
    const before = this.held.get(id);
    if (!before) return false;
    const other = [...this.held].find(([held]) => held !== id)?.[1];
    this.held.set(id, now);
    this.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (this.moved < SLACK) return false;
    if (other) {
      const spread = (at: Point) => Math.hypot(at.x - other.x, at.y - other.y);
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      onZoom(spread(now) / Math.max(1, spread(before)), middle);
    } else onPan(now.x - before.x, now.y - before.y);
    return true;
  }

  /** Whether it had been dragged, so that lifting it is no click. */
  up(id: number): boolean {
    this.held.delete(id);
    return this.hadTwo || this.moved >= SLACK;
  }

  /** The browser took the pointer away, to scroll with it: it will not be lifted. */
  cancel(id: number) {
    this.held.delete(id);
  }
}
