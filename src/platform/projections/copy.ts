/** Excludes arrays and objects. COPY writes them in another way than a parameter does. */
export type Cell = string | number | bigint | boolean | null;

/** Replaces a statement during a rebuild. COPY inserts the same rows into a table that may have no keys yet. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly string[];
  /** The table has none of these rows yet, unless `tidy` handles duplicates. */
  readonly rows: () => readonly (readonly Cell[])[];
  /** The effects of the statement beyond inserting rows. */
  readonly rest?: () => readonly { readonly text: string; readonly values: readonly unknown[] }[];
  /**
   * Set if rows may be inserted twice. It removes the duplicates once, before the table's keys are created. After that
   * the statement itself runs in place of COPY.
   */
  readonly tidy?: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const TO_ESCAPE = /[\\\n\r\t]/g;

const escaped = (found: string): string => ESCAPES[found] ?? found;

const cellOf = (value: Cell): string => {
  if (value === null) return '\\N';
  return typeof value === 'string' ? value.replace(TO_ESCAPE, escaped) : String(value);
};

export const copyText = ({ table, columns }: Copy): string => `COPY ${table} (${columns.join(', ')}) FROM STDIN`;

/** Rows in COPY's text format. */
export const copyRows = (rows: readonly (readonly Cell[])[]): Buffer => {
  let text = '';
  for (const row of rows) {
    for (let place = 0; place < row.length; place += 1) text += (place === 0 ? '' : '\t') + cellOf(row[place] ?? null);
    text += '\n';
  }
  return Buffer.from(text);
};
