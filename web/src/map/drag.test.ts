import { describe, expect, it } from 'vitest';
import { Drag } from './drag';

/** What a drag does to the view, in order. */
function told() {
  const drag = new Drag();
  const acts: [string, ...number[]][] = [];
  const move = (id: number, x: number, y: number) =>
    drag.move(
      id,
      { x, y },
      (dx, dy) => acts.push(['pan', dx, dy]),
      (factor, at) => acts.push(['zoom', factor, at.x, at.y]),
    );
  return { drag, acts, move };
}

describe('fingers on the map', () => {
  it('takes a touch that hardly moves for a click', () => {
    const { drag, acts, move } = told();
    drag.down(1, { x: 10, y: 10 });
    expect(move(1, 12, 11)).toBe(false);
    expect(drag.up(1)).toBe(false);
    expect(acts).toEqual([]);
  });

  it('moves with one finger and zooms about the middle of two', () => {
    const { drag, acts, move } = told();
    drag.down(1, { x: 100, y: 100 });
    move(1, 90, 100);
    drag.down(2, { x: 190, y: 100 });
    move(2, 290, 100);
    expect(acts).toEqual([
      ['pan', -10, 0],
      ['zoom', 2, 190, 100],
    ]);
    expect(drag.up(2)).toBe(true);
    expect(drag.up(1)).toBe(true);
  });

  it('forgets a finger that the browser took to scroll with', () => {
    const { drag, acts, move } = told();
    drag.down(1, { x: 0, y: 0 });
    drag.cancel(1);
    drag.down(2, { x: 50, y: 50 });
    move(2, 60, 50);
    expect(acts).toEqual([['pan', 10, 0]]);
  });
});
