import { BatchLoader } from '../../kernel/batch-loader.js';
import { type Database } from './database.js';

/** Resolves once the row is written. `id` identifies the row. */
export type MergedWrite<Row> = (id: string, row: Row) => Promise<void>;

/**
 * Batches the writes of many rows into one statement. While it runs, further rows wait and share the next one.
 * `columns` turns rows into its parameters, one array per column. Rejects with Unavailable.
 */
export const mergedStatement = <Row>(
  database: Database,
  text: string,
  columns: (rows: readonly Row[]) => readonly unknown[],
): MergedWrite<Row> => {
  const merged = new BatchLoader<Row, 'done'>(async (rows) => {
    await database.query(text, [...columns([...rows.values()])]);
    return new Map([...rows.keys()].map((id) => [id, 'done']));
  });
  return async (id, row) => {
    await merged.get(id, row);
  };
};
