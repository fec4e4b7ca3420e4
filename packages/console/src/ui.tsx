import { type ReactNode, useEffect, useState } from 'react';
import { failureOf } from './api.js';

export const count = (value: number): string => value.toLocaleString('en');

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const agoOf = (time: Date, now: number): string => {
  const difference = time.getTime() - now;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? (['second', 1_000] as const);
  return RELATIVE.format(Math.round(difference / length), unit);
};

/** A time as its distance from now; the exact one where the pointer rests. */
export const Ago = ({ at }: { readonly at: string }) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toISOString()}>
      {agoOf(time, now)}
    </time>
  );
};

/** `2026-11-26 06:20:35`, UTC. */
export const Exact = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{at.slice(0, 19).replace('T', ' ')}</time>
);

/** Words of the API as a person reads them: `potential_match` as "potential match". */
export const words = (name: string): string => name.replaceAll('_', ' ');

export const Failure = ({ error }: { readonly error: unknown }) => {
  const failure = failureOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {failure !== undefined && (
        <p className="quiet">
          <a href={failure.docUrl}>{failure.code}</a>, request <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  );
};

interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
}

/** What was loaded, or what stands in its place. */
export function Show<Data>({
  of,
  children,
}: {
  readonly of: Loaded<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error !== null && of.error !== undefined) return <Failure error={of.error} />;
  return (
    <p className="quiet waiting" aria-busy="true">
      Loading …
    </p>
  );
}

export const Empty = ({ children }: { readonly children: ReactNode }) => <div className="empty">{children}</div>;

export interface Column<Row> {
  readonly title: string;
  readonly number?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) {
  const { label, columns, rows, keyOf } = props;
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} className={number === true ? 'number' : undefined} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, number, cell }) => (
                <td key={title} className={number === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
