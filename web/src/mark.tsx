/** The mark: cells of which some stand together. */
export function Mark() {
  const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => [row, column] as const));
  const lit = new Set(['0,0', '0,2', '1,0', '1,1', '1,2', '2,0', '2,2']);
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      {cells.map(([row, column]) => (
        <rect
          key={`${row},${column}`}
          x={column * 8 + 0.5}
          y={row * 8 + 0.5}
          width={5}
          height={5}
          rx={1}
          fill={lit.has(`${row},${column}`) ? 'var(--accent)' : 'none'}
          stroke={lit.has(`${row},${column}`) ? 'var(--accent)' : 'var(--ink-2)'}
        />
      ))}
    </svg>
  );
}
