/** Tables that sort by their columns. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export type Column<T> = {
  name: string;
  /** What it sorts by; not at all without it. */
  by?: (row: T) => number | string;
  isRight?: boolean;
  cell: (row: T) => ComponentChildren;
};

type Props<T> = {
  rows: T[];
  columns: Column<T>[];
  id: (row: T) => string | number;
  /** The column it is sorted by at first, downwards where it is a figure. */
  first?: string;
  label: string;
};

export function List<T>({ rows, columns, id, first, label }: Props<T>) {
  const [sort, setSort] = useState({ name: first, isUp: true });
  const by = columns.find((column) => column.name === sort.name)?.by;
  const shown = by
    ? [...rows].sort((a, b) => {
        const [left, right] = [by(a), by(b)];
        return (left < right ? -1 : left > right ? 1 : 0) * (sort.isUp ? 1 : -1);
      })
    : rows;
  return (
    <div class="scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = sort.name === column.name;
              return (
                <th
                  key={column.name}
                  class={column.isRight ? 'right' : ''}
                  aria-sort={isSorted ? (sort.isUp ? 'ascending' : 'descending') : undefined}
                >
                  {column.by ? (
                    <button
                      type="button"
                      onClick={() =>
                        setSort({
                          name: column.name,
                          isUp: isSorted ? !sort.isUp : !column.isRight,
                        })
                      }
                    >
                      {column.name}
                    </button>
                  ) : (
                    column.name
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={id(row)}>
              {columns.map((column) => (
                <td key={column.name} class={column.isRight ? 'right' : ''}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
