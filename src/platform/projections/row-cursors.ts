import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../postgres/database.js';

const PAGE = 100;

/** A row that stands for one event. pg gives the log position as text. */
export interface FollowedRow {
  readonly position: string;
}

interface Following<Row extends FollowedRow> {
  /** Key of the cursor. It never changes. */
  readonly name: string;
  /** Rows of later positions, in order. */
  readonly find: (after: string, limit: number) => Promise<readonly Row[]>;
  /** Must be idempotent: a row comes again after a crash or a restore. */
  readonly handle: (row: Row) => Promise<void>;
}

/**
 * Does once, in order, what follows from rows of a read model. For events that are rare among many others: a reactor would
 * decode them all. The caller runs it periodically and alone.
 */
@Injectable()
export class RowCursors {
  constructor(private readonly database: Database) {}

  /** Handles every row up to now. An error ends it at that row, which comes first the next time. */
  async follow<Row extends FollowedRow>(following: Following<Row>, stopping?: AbortSignal): Promise<void> {
    const { name, find, handle } = following;
    let after = await this.read(name);
    for (;;) {
      const rows = await find(after, PAGE);
      for (const row of rows) {
        if (stopping?.aborted === true) return;
        await handle(row);
        after = row.position;
        await this.advance(name, after);
      }
      if (rows.length < PAGE) return;
    }
  }

  private async read(name: string): Promise<string> {
    const rows = await this.database.query<{ position: string }>('SELECT position FROM row_cursors WHERE name = $1', [
      name,
    ]);
    return rows[0]?.position ?? '-1';
  }

  private async advance(name: string, position: string): Promise<void> {
    await this.database.query(
      `INSERT INTO row_cursors (name, position) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET position = greatest(row_cursors.position, excluded.position)`,
      [name, position],
    );
  }
}

/**
 * Every start runs this before anything is appended, as for reactors (rewindReactorsAhead): a cursor beyond the end of the log
 * means that the log was restored, and it would skip new rows. Returns the cursors that were moved to the log's end.
 */
export const rewindCursorsAhead = async (
  database: Queryable,
  headOfLog: () => Promise<bigint | undefined>,
): Promise<readonly string[]> => {
  const saved = await database.query<{ name: string; position: string }>('SELECT name, position FROM row_cursors');
  const head = (await headOfLog()) ?? -1n;
  const ahead = saved.filter(({ position }) => BigInt(position) > head);
  const rows = await database.query<{ name: string }>(
    `UPDATE row_cursors AS present SET position = $1
     FROM unnest($2::text[], $3::bigint[]) AS read (name, position)
     WHERE present.name = read.name AND present.position = read.position RETURNING present.name`,
    [head, ahead.map(({ name }) => name), ahead.map(({ position }) => position)],
  );
  return rows.map(({ name }) => name);
};
