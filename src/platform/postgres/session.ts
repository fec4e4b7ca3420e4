import { isLasting } from './sql-states.js';
import pLimit from 'p-limit';
import pg from 'pg';
import { completesWithin } from '../../kernel/completes-within.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { copyInto } from './copy-rows.js';
import { type Queryable } from './database.js';

/**
 * Budget of a statement, in milliseconds. A batch may be big, but a statement that takes longer means that the server
 * is gone.
 */
const STATEMENT_BUDGET_MS = 60_000;
const CONNECT_BUDGET_MS = 3_000;
const CLOSE_BUDGET_MS = 3_000;
/** Milliseconds. An index on a large table takes long. */
const BUILD_BUDGET_MS = 3_600_000;

const asUnavailable = (error: unknown): unknown =>
  isLasting(error) ? error : new Unavailable('postgres', { cause: error });

/**
 * One dedicated connection, which holds a leader's advisory lock as long as it lasts. A crash of Postgres may lose rows
 * and checkpoints as long as it loses both together. So commits do not wait for the disk.
 */
export class ProjectionSession implements Queryable {
  /** A client of Postgres takes one statement at a time. Reactors share the connection of their process's leadership. */
  private readonly inTurn = pLimit(1);

  private constructor(private readonly client: pg.Client) {}

  static async open(connectionString: string, applicationName = 'projections'): Promise<ProjectionSession> {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_BUDGET_MS,
      statement_timeout: STATEMENT_BUDGET_MS,
      query_timeout: STATEMENT_BUDGET_MS,
      keepAlive: true,
      application_name: applicationName,
      // Lets the server notice soon that a leader's machine is gone, and free its lock.
      options:
        '-c synchronous_commit=off -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2',
    });
    // A connection that breaks while idle fails its next use. Without a listener it would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      throw asUnavailable(error);
    }
    return new ProjectionSession(client);
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    try {
      const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows } = await this.inTurn(() => this.client.query<Row>(statement));
      return rows;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** `rows` are in the format that the COPY statement asks for. */
  async copy(text: string, rows: Buffer): Promise<void> {
    try {
      await this.inTurn(() => copyInto(this.client, text, rows));
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Runs a statement over whole tables. Call it inside a transaction. */
  async build(text: string): Promise<void> {
    await this.query(`SET LOCAL statement_timeout TO ${BUILD_BUDGET_MS}`);
    try {
      const query = { text, query_timeout: BUILD_BUDGET_MS };
      await this.client.query(query);
    } catch (error) {
      throw asUnavailable(error);
    }
    await this.query(`SET LOCAL statement_timeout TO ${STATEMENT_BUDGET_MS}`);
  }

  /** `search_path` is set to the schema within the transaction. */
  async transaction<Result>(
    schema: string,
    work: () => Promise<Result>,
    isolation: 'READ COMMITTED' | 'REPEATABLE READ' = 'READ COMMITTED',
  ): Promise<Result> {
    await this.query(`BEGIN ISOLATION LEVEL ${isolation}; SET LOCAL search_path TO ${schema}`);
    try {
      const result = await work();
      await this.query('COMMIT');
      return result;
    } catch (error) {
      if (!(error instanceof Unavailable && error.part === 'postgres')) await this.query('ROLLBACK');
      throw error;
    }
  }

  /** Called once the connection has ended, for whatever reason. */
  whenEnded(ended: () => void): void {
    this.client.once('end', ended);
  }

  /** The lock lasts until the connection ends. Returns false if another session holds it. */
  async tryLock(key: string): Promise<boolean> {
    const rows = await this.query<{ held: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held', [
      key,
    ]);
    return rows[0]?.held === true;
  }

  async unlock(key: string): Promise<void> {
    await this.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]);
  }

  /** Resolves once the server has let the session's locks go, or does not answer. */
  async close(): Promise<void> {
    await completesWithin(CLOSE_BUDGET_MS, this.client.end()).catch(() => undefined);
  }
}
