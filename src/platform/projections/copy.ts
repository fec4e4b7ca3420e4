/** Rows that nothing else depends on, and that can be put without looking anything up: a rebuild takes COPY for them. */
export interface CopyTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const TO_ESCAPE = /[\\\n\r\t]/g;

/** No arrays and no objects, which COPY writes in other ways than a parameter's. */
export type Cell = string | number | bigint | boolean | null;

const cellOf = (value: Cell | undefined): string => {
  if (value === null || value === undefined) return '\\N';
  return String(value).replace(TO_ESCAPE, (found) => ESCAPES[found] ?? found);
};

export const copyText = ({ table, columns }: CopyTarget): string => `COPY ${table} (${columns.join(', ')}) FROM STDIN`;

/** In COPY's text format, of one array for each column. */
export const copyRows = (columns: readonly (readonly Cell[])[]): Buffer => {
  const lines: string[] = [];
  const height = columns[0]?.length ?? 0;
  for (let row = 0; row < height; row += 1) {
    let line = '';
    for (const [place, column] of columns.entries()) line += (place === 0 ? '' : '\t') + cellOf(column[row]);
    lines.push(`${line}\n`);
  }
  return Buffer.from(lines.join(''));
};
