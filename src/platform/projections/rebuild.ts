import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../eventstore/event-store.js';
import { createSlot, readCheckpoint, schemaOf } from './checkpoints.js';
import { compareSlots, type TableComparison } from './compare.js';
import { Feed } from './feed.js';
import { Pause } from './pause.js';
import { type Projection } from './projection.js';
import { type ProjectionSession } from './session.js';
import { type Target, writeBatch } from './write-batch.js';

export interface RebuildProgress {
  readonly position: bigint;
  /** Where the log ended when the rebuild began. */
  readonly goal: bigint;
  readonly events: number;
}

export interface RebuildOptions {
  readonly session: ProjectionSession;
  readonly store: EventStore;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Awaited between batches with the milliseconds that the last one took, by one that leaves something to others. */
  readonly rest?: (took: number) => Promise<void>;
}

export interface RebuildReport {
  readonly events: number;
  /** Where live and rebuilt rows were compared; undefined where the live projection had read nothing yet. */
  readonly comparedAt: bigint | undefined;
  readonly tables: readonly TableComparison[];
}

/** Another process rebuilds this projection at this moment. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';

  constructor(projection: string) {
    super(`projection ${projection} is being rebuilt by another process`);
  }
}

/** A rebuild that the event store has not given anything for this long gives up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A projection's rows made anew from the oldest event, in a schema of their own beside the live one. */
export class Rebuild {
  private readonly target: Target;
  private readonly shadow: string;
  private position: bigint | undefined;
  private events = 0;
  private goal = 0n;

  private constructor(
    private readonly options: RebuildOptions,
    epoch: string,
  ) {
    this.target = { projection: options.projection, slot: 'shadow', epoch };
    this.shadow = schemaOf(options.projection.name, 'shadow');
  }

  /** Throws RebuildUnderWay where another process is at it. */
  static async begin(options: RebuildOptions): Promise<Rebuild> {
    const { session, projection, store } = options;
    if (!(await session.tryLock(`projection.${projection.name}.rebuild`))) throw new RebuildUnderWay(projection.name);
    await session.transaction('projections', () => createSlot(session, projection, 'shadow'));
    const checkpoint = await readCheckpoint(session, projection.name, 'shadow');
    const rebuild = new Rebuild(options, checkpoint?.epoch ?? '');
    rebuild.goal = (await store.head()) ?? 0n;
    return rebuild;
  }

  /** Follows the live rows, never passing them, and compares when both stand at the same position. */
  async compareWithLive(): Promise<RebuildReport> {
    const { session, projection } = this.options;
    const before = (await readCheckpoint(session, projection.name))?.position;
    if (before !== undefined) await this.advance(before);
    return session.transaction(
      this.shadow,
      async () => {
        // The first query fixes the snapshot; what this transaction itself writes to the shadow is seen in it too.
        const live = (await readCheckpoint(session, projection.name))?.position;
        if (live === undefined) return { events: this.events, comparedAt: undefined, tables: [] };
        await this.read(live, (batch) => writeBatch(session, this.target, batch));
        return { events: this.events, comparedAt: live, tables: await compareSlots(session, projection) };
      },
      'REPEATABLE READ',
    );
  }

  /** Catches up with the log and puts the rebuilt rows in the live ones' place, in one transaction. */
  async swap(): Promise<void> {
    const { session, projection } = this.options;
    const live = schemaOf(projection.name, 'live');
    const retired = `${live}_retired`;
    await this.advance(undefined);
    await session.query(`DROP SCHEMA IF EXISTS ${retired} CASCADE`);
    await session.transaction(this.shadow, async () => {
      // The lock holds every batch of the live projection back; what it has read by now is read here too.
      const checkpoint = await readCheckpoint(session, projection.name, 'live', 'FOR UPDATE');
      if (checkpoint?.position !== undefined) {
        await this.read(checkpoint.position, (batch) => writeBatch(session, this.target, batch));
      }
      await session.query(`ALTER SCHEMA ${live} RENAME TO ${retired}; ALTER SCHEMA ${this.shadow} RENAME TO ${live}`);
      await session.query(
        `UPDATE projections.checkpoints SET hash = $2, position = $3, epoch = epoch + 1, updated_at = now()
         WHERE projection = $1 AND slot = 'live'`,
        [projection.name, projection.hash, this.position ?? null],
      );
      await session.query("DELETE FROM projections.checkpoints WHERE projection = $1 AND slot = 'shadow'", [
        projection.name,
      ]);
    });
    await session.query(`DROP SCHEMA IF EXISTS ${retired} CASCADE`);
  }

  /** Removes the shadow. */
  async discard(): Promise<void> {
    const { session, projection } = this.options;
    await session.query(`DROP SCHEMA IF EXISTS ${this.shadow} CASCADE`);
    await session.query("DELETE FROM projections.checkpoints WHERE projection = $1 AND slot = 'shadow'", [
      projection.name,
    ]);
  }

  /** Goes on behind what is written where the event store was lost for a while: hours of reading are not begun anew. */
  private async advance(until: bigint | undefined): Promise<void> {
    const { session, signal, rest } = this.options;
    const write = (batch: WholeBatch): Promise<void> =>
      session.transaction(this.shadow, () => writeBatch(session, this.target, batch));
    let deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const from = this.position;
      try {
        await this.read(until, write, rest);
        return;
      } catch (error) {
        if (!(error instanceof Unavailable) || error.part !== 'event_store') throw error;
        if (this.position !== from) deadline = performance.now() + PATIENCE_MS;
        if (signal.aborted || performance.now() > deadline) throw error;
      }
      await new Pause(signal).for(PAUSE_MS);
    }
  }

  /** Reads on to exactly `place`, or to the end of the log as it stands now. */
  private async read(
    place: bigint | undefined,
    write: (batch: WholeBatch) => Promise<void>,
    rest?: RebuildOptions['rest'],
  ): Promise<void> {
    if (place !== undefined && this.position !== undefined && this.position >= place) return;
    const { store, projection, signal } = this.options;
    // Live rows ahead of the log are those of a restored back-up: what comes to stand there has yet to be read.
    const until = place !== undefined && place <= ((await store.head()) ?? 0n) ? place : undefined;
    const feed = new Feed({ store, streamPrefixes: projection.streamPrefixes, after: this.position, signal });
    try {
      for (let done = false; !done;) {
        const batch = await feed.next();
        if (batch === undefined) throw new Interrupted('the rebuild was interrupted');
        const events = until === undefined ? batch.events : batch.events.filter(({ position }) => position <= until);
        done = batch.caughtUp || (until !== undefined && batch.position !== undefined && batch.position >= until);
        const position = done && until !== undefined ? until : (batch.position ?? this.position);
        if (position === undefined) continue;
        const begun = performance.now();
        await write({ events, position });
        this.note(events.length, position);
        if (!done) await rest?.(performance.now() - begun);
      }
    } finally {
      feed.close();
    }
  }

  private note(events: number, position: bigint): void {
    this.events += events;
    this.position = position;
    this.options.onProgress?.({ position, goal: this.goal, events: this.events });
  }
}

interface WholeBatch {
  readonly events: Parameters<typeof writeBatch>[2]['events'];
  readonly position: bigint;
}
