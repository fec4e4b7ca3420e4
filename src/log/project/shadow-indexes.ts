import { type Copy } from './copy.js';
import { tablesKeyedFor } from './needed-keys.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';

interface Index {
  readonly table: string;
  /** The statement that drops it. */
  readonly removal: string;
  readonly definition: string;
  readonly unique: boolean;
}

/** Called before each index is created, with its number and the number of indexes. */
type OnIndex = (number: number, of: number) => void;

const INDEXES = `
  SELECT c.relname AS table, x.indisunique AS unique,
    CASE WHEN k.oid IS NULL THEN format('DROP INDEX %I.%I', n.nspname, i.relname)
      ELSE format('ALTER TABLE %I.%I DROP CONSTRAINT %I', n.nspname, c.relname, k.conname) END AS removal,
    CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.oid)
      ELSE format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) END AS definition
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.conrelid = c.oid
  WHERE n.nspname = $1 ORDER BY x.indisunique DESC, i.relname`;

/**
 * Manages the indexes of a schema whose rows are rebuilt. One index build over all rows costs a fraction of updates row
 * by row. Indexes that only serve searches are dropped until the rows are complete. Unique indexes are dropped from a
 * table that COPY fills. They return before the first statement that finds its rows by them.
 */
export class ShadowIndexes {
  private readonly keyed = new Set<string>();
  /** Tables without keys, each with the statement (`tidy`) to run before the keys return. */
  private readonly unkeyed = new Map<string, string | undefined>();
  private readonly keyedFor = new Map<string, readonly string[]>();

  private constructor(
    private readonly session: ProjectionSession,
    private readonly tables: readonly string[],
    private readonly keys: readonly Index[],
    private searches: readonly Index[],
    private readonly onIndex: OnIndex,
  ) {}

  /** Call it inside the transaction that created the schema. */
  static async takeFrom(
    session: ProjectionSession,
    schema: string,
    tables: readonly string[],
    onIndex: OnIndex,
  ): Promise<ShadowIndexes> {
    const indexes = await session.query<Index>(INDEXES, [schema]);
    const searches = indexes.filter(({ unique }) => !unique);
    for (const { removal } of searches) await session.query(removal);
    const keys = indexes.filter(({ unique }) => unique);
    return new ShadowIndexes(session, tables, keys, searches, onIndex);
  }

  /** Call it before a transaction. Returns what to call after its rollback. */
  remember(): () => void {
    const { searches } = this;
    const [keyed, unkeyed] = [[...this.keyed], [...this.unkeyed]];
    return () => {
      this.searches = searches;
      this.keyed.clear();
      for (const table of keyed) this.keyed.add(table);
      this.unkeyed.clear();
      for (const [table, tidy] of unkeyed) this.unkeyed.set(table, tidy);
    };
  }

  /** Call it before COPY inserts rows. Returns false if the statement itself must insert them. */
  async makeWay({ table, tidy }: Copy): Promise<boolean> {
    if (this.keyed.has(table)) return tidy === undefined;
    if (this.unkeyed.has(table)) return true;
    this.unkeyed.set(table, tidy);
    for (const { removal } of this.keysOf(table)) await this.session.query(removal);
    return true;
  }

  /** Call it before a statement runs. */
  async makeKeysFor(text: string): Promise<void> {
    let tables = this.keyedFor.get(text);
    if (tables === undefined) this.keyedFor.set(text, (tables = tablesKeyedFor(text, this.tables)));
    for (const table of tables) {
      if (this.unkeyed.has(table)) await this.makeAll([table], []);
      this.keyed.add(table);
    }
  }

  /** Creates all missing indexes; a second call does nothing. */
  async make(): Promise<void> {
    const { searches } = this;
    this.searches = [];
    await this.makeAll([...this.unkeyed.keys()], searches);
    for (const table of this.tables) this.keyed.add(table);
  }

  private async makeAll(tables: readonly string[], searches: readonly Index[]): Promise<void> {
    const missing = [...tables.flatMap((table) => this.keysOf(table)), ...searches];
    for (const table of tables) {
      const tidy = this.unkeyed.get(table);
      this.unkeyed.delete(table);
      if (tidy !== undefined) await this.session.build(tidy);
    }
    for (const [made, { definition }] of missing.entries()) {
      this.onIndex(made + 1, missing.length);
      await this.session.build(definition);
    }
  }

  private keysOf(table: string): readonly Index[] {
    return this.keys.filter((index) => index.table === table);
  }
}
