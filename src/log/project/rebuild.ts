import { pause } from '../../kernel/pause.js';
import { isTableMissing } from '../../platform/postgres/sql-states.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { applyEach, isPassing } from './cannot-apply.js';
import { createSlot, readCheckpoint, schemaOf } from './checkpoints.js';
import { compareSlots, type Shown, SHOWN, type TableComparison } from './compare.js';
import { type Projection } from './projection.js';
import { readLog } from './read-log.js';
import { type RebuildBatch, type Target, toRebuildBatch, writeRebuildBatch } from './rebuild-batch.js';
import { ShadowIndexes } from './shadow-indexes.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';
import { forgetFailure, positionsSetAside } from './failures.js';

export interface RebuildProgress {
  readonly position: bigint;
  /** The end of the log when the rebuild began. */
  readonly goal: bigint;
  readonly events: number;
}

/** The work of a rebuild while it reads nothing. */
export type RebuildStage =
  { readonly doing: 'making indexes'; readonly number: number; readonly of: number } | { readonly doing: 'comparing' };

export interface RebuildOptions {
  readonly session: ProjectionSession;
  readonly store: EventStore;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RebuildProgress) => void;
  readonly onStage?: (stage: RebuildStage) => void;
  readonly shown?: Shown;
  /** Awaited between batches with the milliseconds of the last one. A rebuild in the background rests here. */
  readonly rest?: (took: number) => Promise<void>;
}

export interface RebuildReport {
  readonly events: number;
  /** Position at which live and rebuilt rows were compared. Undefined if the live projection had read nothing yet. */
  readonly comparedAt: bigint | undefined;
  readonly tables: readonly TableComparison[];
}

/** Another process rebuilds this projection now. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay';

  constructor(projection: string) {
    super(`projection ${projection} is being rebuilt by another process`);
  }
}

/** A rebuild gives up if the event store returns nothing for this long. */
const WAIT_BUDGET_MS = 60_000;
const PAUSE_MS = 250;

type Together = readonly [Rebuild, ...Rebuild[]];
type Write = (rebuild: Rebuild, batch: RebuildBatch) => Promise<void>;

/** Undefined is the end of the log, wherever that is. */
const isSooner = (one: bigint | undefined, other: bigint | undefined): boolean =>
  one !== undefined && (other === undefined || one < other);

/** Rebuilds a projection's rows from the oldest event, in a schema beside the live one. */
export class Rebuild {
  private readonly target: Target;
  private readonly shadow: string;
  private position: bigint | undefined;
  private events = 0;

  private constructor(
    private readonly options: RebuildOptions,
    epoch: string,
    private readonly goal: bigint,
    private readonly indexes: ShadowIndexes,
    private readonly aside: ReadonlySet<bigint>,
  ) {
    this.target = { projection: options.projection, slot: 'shadow', epoch };
    this.shadow = schemaOf(options.projection, 'shadow');
  }

  /** Throws RebuildUnderWay if another process rebuilds this projection. */
  static async begin(options: RebuildOptions): Promise<Rebuild> {
    const { session, projection, store, onStage } = options;
    if (!(await session.tryLock(`projection.${projection.name}.rebuild`))) throw new RebuildUnderWay(projection.name);
    const indexes = await session.transaction('projections', async () => {
      await createSlot(session, projection, 'shadow');
      return ShadowIndexes.takeFrom(session, schemaOf(projection, 'shadow'), projection.tables, (number, of) =>
        onStage?.({ doing: 'making indexes', number, of }),
      );
    });
    const checkpoint = await readCheckpoint(session, projection.name, 'shadow');
    const aside = await positionsSetAside(session, projection);
    return new Rebuild(options, checkpoint?.epoch ?? '', (await store.head()) ?? 0n, indexes, aside);
  }

  /**
   * Reads the log once for several new rebuilds on one connection, for each as far as its live rows have come. A rebuild
   * that passed them could not be compared. Without live rows it reads to the present end.
   */
  static async readTogether(rebuilds: readonly Rebuild[]): Promise<void> {
    const ends = new Map<Rebuild, bigint | undefined>();
    for (const rebuild of rebuilds) ends.set(rebuild, await rebuild.livePosition());
    for (const end of [...new Set(ends.values())].sort((one, other) => (isSooner(one, other) ? -1 : 1))) {
      const [first, ...others] = rebuilds.filter((rebuild) => !isSooner(ends.get(rebuild), end));
      if (first !== undefined) await Rebuild.advance([first, ...others], end);
    }
  }

  /** Follows the live rows, never passing them, and compares when both are at the same position. */
  async compareWithLive(): Promise<RebuildReport> {
    const { session, projection } = this.options;
    const before = await readCheckpoint(session, projection.name);
    if (before?.position !== undefined) await Rebuild.advance([this], before.position);
    await this.makeIndexes();
    const { position, events } = this;
    try {
      return await session.transaction(this.shadow, () => this.compareInSnapshot(), 'REPEATABLE READ');
    } catch (error) {
      // Postgres looks up a table by its present name. It misses rows disowned meanwhile, though the snapshot has them.
      const after = isTableMissing(error) ? await readCheckpoint(session, projection.name) : before;
      if (after?.version === before?.version) throw error;
      [this.position, this.events] = [position, events];
      return this.compareWithLive();
    }
  }

  /** Catches up with the log and replaces the live rows with the rebuilt ones, in one transaction. */
  async swap(): Promise<void> {
    const { session, projection } = this.options;
    const { name } = projection;
    const retired = `projection_${name}_retired`;
    await Rebuild.advance([this], undefined);
    await this.makeIndexes();
    // Reads the events appended meanwhile before the live rows are locked.
    await Rebuild.advance([this], undefined);
    await session.query(`DROP SCHEMA IF EXISTS ${retired} CASCADE`);
    await session.transaction(this.shadow, async () => {
      // The lock stops every batch of the live projection. This reads the events that the live rows already include.
      const checkpoint = await readCheckpoint(session, name, 'live', 'FOR UPDATE');
      if (checkpoint?.position !== undefined) await this.readUpTo(checkpoint.position);
      const before = schemaOf({ name, version: checkpoint?.version ?? projection.version }, 'live');
      const after = schemaOf(projection, 'live');
      await session.query(
        `ALTER SCHEMA ${before} RENAME TO ${retired}; ALTER SCHEMA ${this.shadow} RENAME TO ${after}`,
      );
      await session.query(
        `UPDATE projections.checkpoints SET version = $2, position = $3, epoch = epoch + 1, updated_at = now()
         WHERE projection = $1 AND slot = 'live'`,
        [projection.name, projection.version, this.position ?? null],
      );
      await session.query("DELETE FROM projections.checkpoints WHERE projection = $1 AND slot = 'shadow'", [
        projection.name,
      ]);
      await forgetFailure(session, projection);
    });
    await session.query(`DROP SCHEMA IF EXISTS ${retired} CASCADE`);
  }

  /** Drops the shadow's rows and its checkpoint. */
  async discard(): Promise<void> {
    const { session, projection } = this.options;
    await session.query(`DROP SCHEMA IF EXISTS ${this.shadow} CASCADE`);
    await session.query("DELETE FROM projections.checkpoints WHERE projection = $1 AND slot = 'shadow'", [
      projection.name,
    ]);
  }

  private async compareInSnapshot(): Promise<RebuildReport> {
    const { session, projection, onStage, shown = SHOWN } = this.options;
    // The first query fixes the snapshot. This transaction still sees its own writes to the shadow.
    const live = await this.livePosition();
    if (live === undefined) return { events: this.events, comparedAt: undefined, tables: [] };
    await this.readUpTo(live);
    onStage?.({ doing: 'comparing' });
    const tables = await compareSlots(session, projection, shown);
    return { events: this.events, comparedAt: live, tables };
  }

  private async livePosition(): Promise<bigint | undefined> {
    const { session, projection } = this.options;
    return (await readCheckpoint(session, projection.name))?.position;
  }

  private async makeIndexes(): Promise<void> {
    await this.options.session.transaction(this.shadow, () => this.indexes.make());
  }

  /** Call it inside the caller's transaction. */
  private readUpTo(place: bigint): Promise<void> {
    return Rebuild.read([this], place, async (rebuild, batch) => {
      await rebuild.write(batch);
      rebuild.note(batch);
    });
  }

  /** After a loss of the event store it continues after the written batches, so hours of reading are not repeated. */
  private static async advance(rebuilds: Together, until: bigint | undefined): Promise<void> {
    const { signal, rest } = rebuilds[0].options;
    const write: Write = (rebuild, batch) => rebuild.writeOrLocate(batch);
    let deadline = performance.now() + WAIT_BUDGET_MS;
    for (;;) {
      const from = rebuilds[0].position;
      try {
        await Rebuild.read(rebuilds, until, write, rest);
        return;
      } catch (error) {
        if (!(error instanceof Unavailable) || error.part !== 'event_store') throw error;
        if (rebuilds[0].position !== from) deadline = performance.now() + WAIT_BUDGET_MS;
        if (signal.aborted || performance.now() > deadline) throw error;
      }
      await pause(PAUSE_MS, signal);
    }
  }

  /** Reads on to exactly `place`, or to the present end of the log. */
  private static async read(
    rebuilds: Together,
    place: bigint | undefined,
    write: Write,
    rest?: RebuildOptions['rest'],
  ): Promise<void> {
    const [{ options, position: after }] = rebuilds;
    if (place !== undefined && after !== undefined && after >= place) return;
    const { store, signal } = options;
    // Live rows ahead of the log come from before a restore of the log. The log has nothing at their position yet, so
    // this reads to its end.
    const until = place !== undefined && place <= ((await store.head()) ?? 0n) ? place : undefined;
    const streamPrefixes = [...new Set(rebuilds.flatMap((rebuild) => rebuild.options.projection.streamPrefixes))];
    const make = (events: readonly StoredEvent[], position: bigint): RebuildBatch[] =>
      rebuilds.map((rebuild) => rebuild.batchOf(events, position));
    await readLog({ store, streamPrefixes, after, until, signal }, make, async (batches, last) => {
      const begun = performance.now();
      for (const [index, batch] of batches.entries()) {
        const rebuild = rebuilds[index] ?? rebuilds[0];
        await write(rebuild, batch);
      }
      if (!last) await rest?.(performance.now() - begun);
    });
  }

  private batchOf(events: readonly StoredEvent[], position: bigint): RebuildBatch {
    const { projection } = this.options;
    const isMeant = ({ stream, position: at }: StoredEvent): boolean =>
      projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)) && !this.aside.has(at);
    return toRebuildBatch(projection, events.filter(isMeant), position);
  }

  /** Throws CannotApply where it is one event that can't be applied. */
  private async writeOrLocate(batch: RebuildBatch): Promise<void> {
    try {
      await this.commit(batch);
    } catch (error) {
      if (isPassing(error)) throw error;
      await applyEach(this.options.projection.name, batch.events, (event) =>
        this.commit(this.batchOf([event], event.position)),
      );
      await this.commit(this.batchOf([], batch.position));
    }
  }

  private async commit(batch: RebuildBatch): Promise<void> {
    const restoreIndexes = this.indexes.remember();
    try {
      await this.options.session.transaction(this.shadow, () => this.write(batch));
      this.note(batch);
    } catch (error) {
      restoreIndexes();
      throw error;
    }
  }

  private write(batch: RebuildBatch): Promise<void> {
    return writeRebuildBatch(this.options.session, this.target, batch, this.indexes);
  }

  private note({ events, position }: RebuildBatch): void {
    this.events += events.length;
    this.position = position;
    this.options.onProgress?.({ position, goal: this.goal, events: this.events });
  }
}
