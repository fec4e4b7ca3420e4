import { type ProjectionSession } from './session.js';

interface Index {
  readonly name: string;
  readonly definition: string;
}

/** Told before each index is made, which of how many it is. */
type OnIndex = (number: number, of: number) => void;

/**
 * Indexes of a schema that only serve searches: sorted in one go over all rows they cost a fraction of what they cost row by
 * row. Unique ones stay, since statements count on them.
 */
export class SecondaryIndexes {
  private constructor(
    private readonly session: ProjectionSession,
    private missing: readonly Index[],
    private readonly onIndex: OnIndex,
  ) {}

  /** Inside the transaction that has made the schema. */
  static async takeFrom(session: ProjectionSession, schema: string, onIndex: OnIndex): Promise<SecondaryIndexes> {
    const indexes = await session.query<Index>(
      `SELECT format('%I.%I', n.nspname, i.relname) AS name, pg_get_indexdef(i.oid) AS definition
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_namespace n ON n.oid = i.relnamespace
       WHERE n.nspname = $1 AND NOT x.indisunique ORDER BY 1`,
      [schema],
    );
    for (const { name } of indexes) await session.query(`DROP INDEX ${name}`);
    return new SecondaryIndexes(session, indexes, onIndex);
  }

  /** Of what is missing, and nothing the second time. Where its transaction is rolled back, so is the rebuild. */
  async make(): Promise<void> {
    const { missing } = this;
    this.missing = [];
    for (const [made, { definition }] of missing.entries()) {
      this.onIndex(made + 1, missing.length);
      await this.session.build(definition);
    }
  }
}
