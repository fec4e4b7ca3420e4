import { type TenantId } from '../kernel/ids.js';
import { type Database } from '../platform/postgres/database.js';
import { mergedStatement, type MergedWrite } from '../platform/postgres/merged-statement.js';

/** Sorts before every other id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

export interface NoteKey {
  readonly tenantId: TenantId;
  /** A UUID. */
  readonly id: string;
}

interface Column<Note> {
  readonly name: string;
  readonly type: 'text' | 'bigint';
  readonly of: (note: Note) => string | null;
}

export interface NoteTableOptions<Note> {
  readonly table: string;
  readonly idColumn: string;
  readonly keyOf: (note: Note) => NoteKey;
  readonly columns: readonly Column<Note>[];
}

/**
 * A table of work owed to accounts, with the key (tenant_id, id) and the time of noting. An outage of the event store
 * brings thousands of notes. While one statement runs, the others share the next one. All methods reject with
 * Unavailable.
 */
export class NoteTable<Note> {
  private readonly noting: MergedWrite<Note>;
  private readonly removing: MergedWrite<Note>;

  constructor(
    private readonly database: Database,
    private readonly options: NoteTableOptions<Note>,
  ) {
    const { table, idColumn, columns } = options;
    const names = ['tenant_id', idColumn, ...columns.map(({ name }) => name)];
    const types = ['text', 'uuid', ...columns.map(({ type }) => type)];
    this.noting = mergedStatement(database, {
      name: `note-${table}`,
      text: `INSERT INTO ${table} (${names.join(', ')})
       SELECT * FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')}) ON CONFLICT DO NOTHING`,
      columns: (notes) => [...this.keysOf(notes), ...columns.map((column) => notes.map((note) => column.of(note)))],
    });
    this.removing = mergedStatement(database, {
      name: `remove-${table}`,
      text: `DELETE FROM ${table} USING unnest($1::text[], $2::uuid[]) AS done (tenant_id, id)
       WHERE ${table}.tenant_id = done.tenant_id AND ${table}.${idColumn} = done.id`,
      columns: (notes) => this.keysOf(notes),
    });
  }

  note(note: Note): Promise<void> {
    return this.noting(this.options.keyOf(note).id, note);
  }

  remove(note: Note): Promise<void> {
    return this.removing(this.options.keyOf(note).id, note);
  }

  async count(): Promise<number> {
    const [row] = await this.database.query<{ notes: string }>(`SELECT count(*) AS notes FROM ${this.options.table}`);
    return Number(row?.notes ?? 0);
  }

  /** Notes at least `ageMs` old, in key order, starting after `after`. */
  async notedBefore<Row>(ageMs: number, limit: number, after?: Note): Promise<readonly (Row & NoteKey)[]> {
    const { table, idColumn, columns, keyOf } = this.options;
    const { tenantId, id } = after === undefined ? { tenantId: '', id: NO_ID } : keyOf(after);
    const names = columns.map(({ name }) => `, ${name}`).join('');
    return this.database.query<Row & NoteKey>(
      `SELECT tenant_id AS "tenantId", ${idColumn} AS id${names} FROM ${table}
       WHERE noted_at <= now() - make_interval(secs => $1::float8 / 1000) AND (tenant_id, ${idColumn}) > ($3, $4::uuid)
       ORDER BY tenant_id, ${idColumn} LIMIT $2`,
      [ageMs, limit, tenantId, id],
    );
  }

  private keysOf(notes: readonly Note[]): readonly string[][] {
    const keys = notes.map((note) => this.options.keyOf(note));
    return [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)];
  }
}
