import { setTimeout as sleep } from 'node:timers/promises';
import { Readers } from '../postgres/readers.js';
import { ensureDatabase } from '../postgres/schema.js';
import { type Numbers } from './draft.js';
import { Heads } from './heads.js';
import { StoredHistory } from './history.js';
import { LogInUse, Owner } from './owner.js';
import { Pages } from './pages.js';
import { RecentEvents } from './recent-events.js';
import { decodeRecord, frameSpans } from './record.js';
import { type Outcome, type WriteRequest } from './requests.js';
import { Tail } from './tail.js';
import { NotWritable, Writer } from './writer.js';

const WAIT_AT_START_MS = 3_000;
const WAIT_AFTER_LOSS_MS = 10_000;
const RECONNECT_MS = 200;
const READING_CONNECTIONS = 3;
const REMEMBERED_AT_START = 20_000;
/** Bytes. The start reads whole events for their ids, and large events must not make it long. */
const READ_FOR_IDS_AT_START = 64 * 1024 * 1024;

/** The log has one writer, many readers and its newest part in memory. It reconnects to Postgres by itself. */
export class EventLog {
  readonly readers: Readers;
  readonly heads: Heads;
  readonly pages: Pages;
  readonly tail = new Tail(0);
  /** The queries of appends use their own connections, so no reader delays them. */
  private readonly deciding: Readers;
  private readonly recent = new RecentEvents();
  private readonly writer: Writer;
  private owner: Owner | undefined;
  private former: string | undefined;
  private closed = false;

  private constructor(
    private readonly databaseUrl: string,
    private readonly onFatal: (error: Error) => void,
  ) {
    this.readers = new Readers(databaseUrl, READING_CONNECTIONS);
    this.deciding = new Readers(databaseUrl, 1);
    this.heads = new Heads(this.deciding);
    this.pages = new Pages(this.readers);
    this.writer = new Writer(
      this.heads,
      this.tail,
      this.recent,
      new StoredHistory(this.heads, new Pages(this.deciding)),
    );
  }

  /** Throws LogInUse when another node owns the database. `onFatal` receives later losses of it. */
  static async open(databaseUrl: string, onFatal: (error: Error) => void): Promise<EventLog> {
    await ensureDatabase(databaseUrl);
    const log = new EventLog(databaseUrl, onFatal);
    try {
      await log.takeOwnership(WAIT_AT_START_MS);
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  get writable(): boolean {
    return this.owner !== undefined;
  }

  submit(request: WriteRequest): Promise<Outcome> {
    return this.writer.submit(request);
  }

  /** Takes no more writes. Resolves when everything submitted before is settled. */
  drain(): Promise<void> {
    return this.writer.finish();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.writer.stop(new NotWritable('the event store is stopping'));
    await this.owner?.close();
    await Promise.all([this.readers.close(), this.deciding.close()]);
  }

  private async takeOwnership(waitBudgetMs: number): Promise<void> {
    const owner = await Owner.take(this.databaseUrl, waitBudgetMs, this.former);
    this.former = owner.name;
    try {
      const numbers = await owner.numbers();
      this.heads.clear();
      this.recent.clear();
      await this.rememberRecent(numbers.position);
      this.install(owner, numbers);
    } catch (error) {
      owner.abandon();
      throw error;
    }
  }

  /** Runs in one turn of the event loop. A loss is either visible here or reported to the listener. */
  private install(owner: Owner, numbers: Numbers): void {
    if (this.closed) throw new NotWritable('the event store is stopping');
    if (owner.lost) throw new NotWritable('the log was lost again while it was being read');
    owner.onLost = (error) => this.lost(owner, error);
    this.tail.restart(numbers.position - 1);
    this.owner = owner;
    this.writer.start(owner, numbers);
  }

  private async rememberRecent(end: number): Promise<void> {
    let before = end;
    let bytes = 0;
    for (let remembered = 0; remembered < REMEMBERED_AT_START && bytes < READ_FOR_IDS_AT_START;) {
      const rows = await this.pages.allBefore(before);
      for (const { streamId, frames } of rows) {
        bytes += frames.length;
        for (const span of frameSpans(frames)) {
          const { id, revision, position } = decodeRecord(frames, span);
          if (position < before && this.recent.find(streamId, id) === undefined) {
            this.recent.remember(streamId, id, { revision, position });
          }
          remembered += 1;
        }
      }
      const oldest = rows.at(-1);
      if (oldest === undefined) return;
      before = oldest.position - oldest.events + 1;
    }
  }

  private lost(owner: Owner, error: Error): void {
    if (this.owner !== owner || this.closed) return;
    this.owner = undefined;
    this.writer.stop(new NotWritable(`the log cannot be written at the moment: ${error.message}`));
    this.heads.clear();
    this.readers.drop();
    this.deciding.drop();
    void this.recover();
  }

  private async recover(): Promise<void> {
    while (!this.closed && this.owner === undefined) {
      try {
        await this.takeOwnership(WAIT_AFTER_LOSS_MS);
      } catch (error) {
        if (error instanceof LogInUse) {
          this.onFatal(error);
          return;
        }
        await sleep(RECONNECT_MS);
      }
    }
  }
}
