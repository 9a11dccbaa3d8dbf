/** Tables that sort by their columns. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export type Column<T> = {
  name: string;
  /** What it sorts by; not at all without it. */
  by?: (row: T) => number | string;
  /** Its cells are not broken into lines. */
  isWhole?: boolean;
  /** The head is for those who do not see what is below it. */
  isUnsaid?: boolean;
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

const ORDER = new Intl.Collator('en', { numeric: true });

/** Figures by size, words by the alphabet, and `node-10` after `node-9`. */
export function compare(left: number | string, right: number | string): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return ORDER.compare(String(left), String(right));
}

export function List<T>({ rows, columns, id, first, label }: Props<T>) {
  const [sort, setSort] = useState({ name: first, isUp: true });
  const by = columns.find((column) => column.name === sort.name)?.by;
  const shown = by
    ? [...rows].sort((a, b) => {
        return compare(by(a), by(b)) * (sort.isUp ? 1 : -1);
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
                    <span class={column.isUnsaid ? 'hidden-text' : ''}>{column.name}</span>
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
                <td
                  key={column.name}
                  class={`${column.isRight ? 'right' : ''} ${column.isWhole ? 'nowrap' : ''}`}
                >
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
