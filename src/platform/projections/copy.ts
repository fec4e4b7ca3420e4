/** No arrays and no objects, which COPY writes in other ways than a parameter's. */
export type Cell = string | number | bigint | boolean | null;

/** What a rebuild does in a statement's place: it has the same rows put by COPY, into a table that may have no keys yet. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly string[];
  /** None of them is there already, unless `tidy` says what becomes of those that are. */
  readonly rows: () => readonly (readonly Cell[])[];
  /** What the statement does beyond putting rows. */
  readonly rest?: () => readonly { readonly text: string; readonly values: readonly unknown[] }[];
  /**
   * Where rows may be there twice: undoes what was too much of them, once, before the table's keys are made. From then on the
   * statement itself runs.
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

/** In COPY's text format. */
export const copyRows = (rows: readonly (readonly Cell[])[]): Buffer => {
  let text = '';
  for (const row of rows) {
    for (let place = 0; place < row.length; place += 1) text += (place === 0 ? '' : '\t') + cellOf(row[place] ?? null);
    text += '\n';
  }
  return Buffer.from(text);
};
