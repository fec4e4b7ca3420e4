import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

interface Column<Row> {
  readonly title: string;
  readonly number?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows in this state stand out. */
  readonly marked?: (row: Row) => boolean;
}

function Head<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, number }) =>
          title === '' ? (
            <td key={title} />
          ) : (
            <th key={title} className={number === true ? 'number' : undefined} scope="col">
              {title}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

function Cells<Row>({ row, columns }: Pick<TableProps<Row>, 'columns'> & { readonly row: Row }) {
  return columns.map(({ title, number, cell }) => (
    <td key={title} className={number === true ? 'number' : undefined}>
      {cell(row)}
    </td>
  ));
}

/** The whole row presses the link that it begins with. By keyboard that link is reached itself. */
const follow = ({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void => {
  if ((target as Element).closest('a, button, input, select, dialog') !== null) return;
  if (getSelection()?.type === 'Range') return;
  currentTarget.querySelector<HTMLElement>('td:first-child :is(a, button.link)')?.click();
};

export function Table<Row>({ label, columns, rows, keyOf, marked }: TableProps<Row>) {
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
      <table>
        <Head columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={marked?.(row) === true ? 'marked' : undefined} onClick={follow}>
              <Cells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Pixels of a row. */
const ROW = 37;

/** A table of any length: only rows near the view exist. `onEnd` is called when the last of them comes near. */
export function LongTable<Row>(props: TableProps<Row> & { readonly total: number; readonly onEnd: () => void }) {
  const { label, columns, rows, keyOf, marked, total, onEnd } = props;
  const region = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    overscan: 15,
    scrollMargin: region.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const margin = region.current?.offsetTop ?? 0;
  const isAtEnd = (last?.index ?? -1) >= rows.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, rows.length, onEnd]);
  const [above, below] = [(first?.start ?? margin) - margin, virtual.getTotalSize() - ((last?.end ?? margin) - margin)];
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={label} ref={region}>
      <table className="long" aria-rowcount={total + 1}>
        <Head columns={columns} />
        <tbody>
          {above > 0 && (
            <tr aria-hidden="true">
              <td colSpan={columns.length} style={{ height: above, padding: 0 }} />
            </tr>
          )}
          {items.flatMap(({ index }) => {
            const row = rows[index];
            return row === undefined
              ? []
              : [
                  <tr
                    key={keyOf(row)}
                    aria-rowindex={index + 2}
                    className={marked?.(row) === true ? 'marked' : undefined}
                    onClick={follow}
                  >
                    <Cells row={row} columns={columns} />
                  </tr>,
                ];
          })}
          {below > 0 && (
            <tr aria-hidden="true">
              <td colSpan={columns.length} style={{ height: below, padding: 0 }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
