import { BatchLoader } from '../../kernel/batch-loader.js';
import { type Database } from './database.js';

/** Resolves once the row is written. `id` identifies the row. */
export type MergedWrite<Row> = (id: string, row: Row) => Promise<void>;

export interface Merged<Row> {
  /** Of the prepared statement. */
  readonly name: string;
  readonly text: string;
  /** Turns rows into the statement's parameters, one array per column. */
  readonly columns: (rows: readonly Row[]) => readonly unknown[];
}

/**
 * Batches the writes of many rows into one statement. While it runs, further rows wait and share the next one. Rejects with
 * Unavailable.
 */
export const mergedStatement = <Row>(database: Database, { name, text, columns }: Merged<Row>): MergedWrite<Row> => {
  const merged = new BatchLoader<Row, 'done'>(async (rows) => {
    await database.query(text, [...columns([...rows.values()])], name);
    return new Map([...rows.keys()].map((id) => [id, 'done']));
  });
  return async (id, row) => {
    await merged.get(id, row);
  };
};
