import { Socket } from 'node:net';
import pg from 'pg';
import { Patience } from './patience.js';

/** The connection is gone or did not answer in time: what was asked may or may not have happened. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

export interface Statement {
  /** Prepared once per session under this name. */
  readonly name: string;
  readonly text: string;
}

/** A row as text, in the order of the selected columns. */
export type Row = readonly (string | null)[];

const asText = { getTypeParser: () => (value: string) => value };

/** One Postgres connection on which every statement has a time limit; whoever misses it loses the connection. */
export class Session {
  private pending = 0;
  private broken: Error | undefined;
  private turn: Promise<void> = Promise.resolve();

  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
  ) {}

  static async open(databaseUrl: string, timeoutMs: number): Promise<Session> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: databaseUrl,
      stream: () => socket,
      types: asText as unknown as pg.CustomTypesConfig,
      application_name: 'event-store-node',
    });
    const session = new Session(client, socket);
    client.on('error', (error) => session.lose(error));
    client.on('end', () => session.lose(new SessionLost('Postgres closed the connection')));
    await session.limited(() => client.connect(), timeoutMs);
    return session;
  }

  get lost(): boolean {
    return this.broken !== undefined;
  }

  /** Statements that wait for their answer. */
  get load(): number {
    return this.pending;
  }

  /** Called at most once, when the connection is lost. */
  onLost: (error: Error) => void = () => undefined;

  /** Not asked at all, but rejected, when `signal` has aborted before its turn comes. */
  async query(
    statement: Statement,
    values: readonly unknown[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Row[]> {
    const query = { ...statement, values: [...values], rowMode: 'array' as const };
    const ask = () => {
      signal?.throwIfAborted();
      return this.client.query<(string | null)[]>(query);
    };
    const result = await this.limited(ask, timeoutMs);
    return result.rows;
  }

  /** Statements without parameters, as one simple query. */
  async run(sql: string, timeoutMs: number): Promise<void> {
    await this.limited(() => this.client.query(sql), timeoutMs);
  }

  /** Says goodbye to a healthy server; a silent one is hung up on. */
  async close(): Promise<void> {
    if (this.broken !== undefined) return;
    const impatient = setTimeout(() => this.socket.destroy(), 500);
    this.broken = new SessionLost('the connection was closed');
    await this.client.end().catch(() => undefined);
    clearTimeout(impatient);
  }

  destroy(): void {
    this.lose(new SessionLost('the connection was given up'));
  }

  /**
   * One statement after another. The limit is the running one's alone: a server that hangs loses the connection, and
   * with it all that wait, as soon as the first of them is over its limit.
   */
  private async limited<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (this.broken !== undefined) throw this.broken;
    this.pending += 1;
    const running = this.turn.then(() => this.withinLimit(work, timeoutMs));
    this.turn = running.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await running;
    } catch (error) {
      throw this.failure() ?? error;
    } finally {
      this.pending -= 1;
    }
  }

  private async withinLimit<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    const patience = new Patience(this.socket, timeoutMs, () =>
      this.lose(new SessionLost(`Postgres did not answer in ${timeoutMs} ms`)),
    );
    try {
      return await work();
    } finally {
      patience.end();
    }
  }

  private failure(): Error | undefined {
    return this.broken;
  }

  private lose(error: Error): void {
    if (this.broken !== undefined) return;
    this.broken = error instanceof SessionLost ? error : new SessionLost(error.message, { cause: error });
    this.socket.destroy();
    this.onLost(this.broken);
  }
}
