import pg from 'pg';
import { Unavailable } from '../../kernel/unavailable.js';

/** A transaction or a pool: what runs a statement. `name` prepares it once a connection. */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly maxConnections?: number;
  /** Budget of a statement and of getting a connection, milliseconds (default 1,500). */
  readonly budgetMs?: number;
  /** Connections look tables up in these schemas (default public). */
  readonly searchPath?: string;
  readonly applicationName?: string;
}

/** SQLSTATE classes that say the server is going away or cannot serve, not that a statement is wrong. */
const UNAVAILABLE_STATES = /^(08|57P0|53)/;

const meansUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && code.length === 5 && /^[0-9A-Z]{5}$/.test(code)) {
    return UNAVAILABLE_STATES.test(code) || code === '57014';
  }
  return !(error instanceof pg.DatabaseError);
};

const asUnavailable = (error: unknown): unknown =>
  meansUnavailable(error) ? new Unavailable('postgres', { cause: error }) : error;

/** The only door to Postgres. Throws Unavailable when it does not answer within the budget. */
export class Database implements Queryable {
  private readonly pool: pg.Pool;
  private readonly budgetMs: number;

  constructor(options: DatabaseOptions) {
    this.budgetMs = options.budgetMs ?? 1_500;
    this.pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.maxConnections ?? 10,
      connectionTimeoutMillis: this.budgetMs,
      statement_timeout: this.budgetMs,
      query_timeout: this.budgetMs,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      application_name: options.applicationName ?? 'kyc',
      ...(options.searchPath === undefined ? {} : { options: `-c search_path=${options.searchPath}` }),
    });
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', () => undefined);
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    try {
      const result = await this.pool.query<Row>({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      return result.rows;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Runs `work` in one transaction; a failure rolls back. A connection whose state is unknown is thrown away. */
  async transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw asUnavailable(error);
    });
    const transaction: Queryable = {
      query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) => {
        const { rows } = await client.query<Row>({
          text,
          values: [...values],
          ...(name === undefined ? {} : { name }),
        });
        return rows;
      },
    };
    try {
      await client.query('BEGIN');
      const result = await work(transaction);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      const broken = meansUnavailable(error);
      if (!broken) await client.query('ROLLBACK').catch(() => undefined);
      client.release(broken);
      throw asUnavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
