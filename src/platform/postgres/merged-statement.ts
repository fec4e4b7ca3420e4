import { BatchLoader } from '../../kernel/batch-loader.js';
import { type Database } from './database.js';

/** Resolves once the row is written; `id` tells rows apart. */
export type MergedWrite<Row> = (id: string, row: Row) => Promise<void>;

/**
 * Carries out one statement for many rows: while it is under way the others wait and share the next. `columns` turns rows into
 * its parameters, one array a column. Rejects with Unavailable.
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
