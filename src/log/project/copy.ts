import { type Cell } from '../../platform/postgres/copy-rows.js';

export type { Cell };

/**
 * Replaces a statement. COPY inserts the same rows, during a rebuild into a table that may have no keys yet. Live rows
 * go by COPY if they have no `rest` and no `tidy`.
 */
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

export const copyText = ({ table, columns }: Copy): string => `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
