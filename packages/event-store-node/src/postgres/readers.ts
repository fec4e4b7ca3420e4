import { Session, type Row, type Statement } from './session.js';

const TIMEOUT_MS = 1_000;

/** A few connections for reading, opened when needed. A statement goes to the least busy one. */
export class Readers {
  private readonly sessions: (Promise<Session> | undefined)[];
  private readonly opened: (Session | undefined)[] = [];
  private closed = false;

  constructor(
    private readonly databaseUrl: string,
    connections: number,
  ) {
    this.sessions = Array.from({ length: connections }, () => undefined);
  }

  /** A caller that aborts `signal` before its turn causes no query. */
  async query(statement: Statement, values: readonly unknown[], signal?: AbortSignal): Promise<Row[]> {
    const session = await this.leastLoaded();
    return session.query(statement, values, TIMEOUT_MS, signal);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const session of this.opened) await session?.close();
  }

  /** Drops every connection, since the server does not answer. */
  drop(): void {
    for (const session of this.opened) session?.destroy();
  }

  private leastLoaded(): Promise<Session> {
    if (this.closed) throw new Error('the event store is stopped');
    let best = 0;
    for (let index = 0; index < this.sessions.length; index++) {
      if (this.loadOf(index) < this.loadOf(best)) best = index;
    }
    return (this.sessions[best] ??= this.open(best));
  }

  /** An unopened connection is used only when the open ones are busy. */
  private loadOf(index: number): number {
    if (this.sessions[index] === undefined) return 0.5;
    return this.opened[index]?.load ?? 1;
  }

  private async open(index: number): Promise<Session> {
    try {
      const session = await Session.open(this.databaseUrl, TIMEOUT_MS);
      this.opened[index] = session;
      session.onLost = () => this.forget(index);
      return session;
    } catch (error) {
      this.forget(index);
      throw error;
    }
  }

  private forget(index: number): void {
    this.sessions[index] = undefined;
    this.opened[index] = undefined;
  }
}
