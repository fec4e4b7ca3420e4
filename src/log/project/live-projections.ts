import { pause } from '../../kernel/pause.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type Following } from '../follow/follower.js';
import { type Batch, type Cut } from '../follow/page-buffer.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { type ProjectingOptions, ProjectionRecovery } from './projection-recovery.js';
import {
  type Checkpoint,
  disownRowsAhead,
  moveCheckpoints,
  readCheckpoint,
  ROWS_AHEAD,
  takeOver,
} from './checkpoints.js';
import { isStopped, positionsSetAside } from './failures.js';
import { Member } from './member.js';
import { ProjectionSession } from '../../platform/postgres/session.js';
import { ConnectionLost, type Part, partOf, PartRefused, writeSharedBatch } from './shared-batch.js';

/** Lock of the connection that writes. A new leader ends that of the one before, which may hold rows locked. */
const WRITER = 'projections.writer';
/** Milliseconds in which a connection that is ended is gone. */
const DEPOSED_MS = 1_000;
/** Milliseconds to collect the next batch, or less if a reader waits for it. A transaction costs the same for any number of events. */
const GATHER_MS = 100;
/** Minimum milliseconds between two transactions that save only a position. */
const SAVE_AFTER_MS = 500;
/** Maximum milliseconds between two signs of life. */
const HEARTBEAT_MS = 3_000;

/**
 * Keeps the rows of all projections up to date, as the only process that does: one subscription, one connection, one transaction
 * a batch. A projection that cannot be written goes on apart from the others, and delays none.
 */
export class LiveProjections implements Following {
  readonly name = 'projections';
  readonly reachesEnd = true;
  readonly members: readonly Member[];
  readonly cut: Cut;
  readonly recovery: ProjectionRecovery;
  private readonly streamPrefixes: readonly string[];
  private session: ProjectionSession | undefined;
  private unsaved: bigint | undefined;
  /** On the monotonic clock. */
  private savedAt = -Infinity;

  constructor(
    private readonly options: ProjectingOptions,
    restart: () => void,
  ) {
    const { projections, clock } = options;
    this.members = projections.map((projection) => new Member(projection, clock));
    this.streamPrefixes = [...new Set(projections.flatMap(({ streamPrefixes }) => streamPrefixes))];
    this.cut = { endsBatch: (event) => projections.some(({ endsBatch }) => endsBatch?.(event) === true) };
    this.recovery = new ProjectionRecovery(options, () => this.furthest(), restart);
  }

  /** Newer code leads in place of older code, once its own rows are live. */
  readonly rank = async (session: Queryable): Promise<bigint> => {
    const { projections } = this.options;
    const [row] = await session.query<{ rank: string }>(
      `SELECT coalesce(max(generation), 0)::text AS rank FROM projections.versions
       JOIN unnest($1::text[], $2::text[]) AS own (projection, version) USING (projection, version)`,
      [projections.map(({ name }) => name), projections.map(({ version }) => version)],
    );
    return BigInt(row?.rank ?? 0);
  };

  readonly pages: Following['pages'] = (store, after, signal) =>
    store.subscribeToAllInPages({ streamPrefixes: this.streamPrefixes, after, signal });

  async begin(head: bigint | undefined, signal: AbortSignal): Promise<bigint | undefined> {
    this.recovery.begin();
    const session = (this.session = await ProjectionSession.open(this.options.database));
    await becomeWriter(session, signal);
    const candidates: Candidate[] = [];
    for (const member of this.members) {
      if (signal.aborted) return undefined;
      const checkpoint = await this.admit(session, member);
      if (checkpoint !== undefined) candidates.push({ member, checkpoint });
    }
    const place = commonPlace(candidates);
    for (const { member, checkpoint } of candidates) {
      // One that is behind the others catches up by itself first.
      if (!this.recovery.isBack(member) && isBefore(checkpoint.position, place)) this.recovery.bringBack(member);
      else member.join(checkpoint, await positionsSetAside(session, member.projection));
    }
    this.unsaved = undefined;
    const present = this.members.filter(({ writer }) => writer !== undefined);
    this.options.log.info({ projections: present.map(({ name }) => name) }, 'projecting');
    return present.length === 0 ? head : leastOf(present);
  }

  async take({ events, position, caughtUp }: Batch): Promise<void> {
    if (position === undefined) return;
    if (events.length > 0 || caughtUp || performance.now() - this.savedAt >= SAVE_AFTER_MS)
      await this.write(events, position);
    else this.unsaved = position;
  }

  async idle(): Promise<void> {
    if (this.unsaved !== undefined) await this.write([], this.unsaved);
    else if (performance.now() - this.savedAt >= HEARTBEAT_MS) await this.sayAlive();
  }

  gather(filled: Promise<void>): Promise<void> {
    const wanted = this.options.board.wanted(this.members.map(({ name }) => name));
    return Promise.race([pause(GATHER_MS, this.recovery.signal), wanted, filled]);
  }

  async end(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.close();
  }

  lost(): void {
    this.recovery.end();
    for (const member of this.members) {
      member.forget();
      this.options.board.forget(member.name);
    }
  }

  /** The log may also have been restored while this process ran. */
  private async admit(session: ProjectionSession, member: Member): Promise<Checkpoint | undefined> {
    const { store, log, board } = this.options;
    const { projection, name } = member;
    if (this.recovery.has(member)) return undefined;
    board.forget(name);
    const ahead = await disownRowsAhead(session, name, () => store.head());
    if (ahead !== undefined) log.warn({ projection: name, position: String(ahead) }, ROWS_AHEAD);
    const present = await readCheckpoint(session, name);
    if (present?.version !== projection.version && (await this.recovery.yields(session, member))) return undefined;
    if (present?.version !== projection.version && this.recovery.isMaking(member)) {
      // What makes rows may have seen these before they were disowned. It lets those that wait begin again.
      if (member.apart === undefined) member.leave('waiting');
      return undefined;
    }
    const isOwn = present?.version === projection.version && !(await isStopped(session, projection));
    const checkpoint = isOwn ? await takeOver(session, projection) : undefined;
    if (checkpoint === undefined) this.recovery.bringBack(member);
    return checkpoint;
  }

  /** Up to where the others are, one that was apart catches up by itself. */
  private furthest(): bigint | undefined {
    const positions = this.members.flatMap(({ writer, position }) =>
      writer && position !== undefined ? position : [],
    );
    return positions.reduce<bigint | undefined>((most, at) => (most === undefined || at > most ? at : most), undefined);
  }

  private async write(events: readonly StoredEvent[], position: bigint): Promise<void> {
    const session = this.session as ProjectionSession;
    const faulty: Member[] = [];
    const parts: Part[] = [];
    for (const member of this.members.filter((one) => one.isBehind(position))) {
      const { writer } = member;
      if (writer === undefined) continue;
      try {
        parts.push(partOf(writer, member.ownOf(events)));
      } catch {
        faulty.push(member);
      }
    }
    const written = parts.filter((part) => part.events.length > 0).map(({ projection }) => projection.name);
    const apply = () => this.writeParts(session, parts, position, faulty);
    const { applying } = this.options;
    const held = await (applying === undefined ? apply() : applying(written, events, apply));
    this.savedAt = performance.now();
    this.unsaved = undefined;
    for (const { projection, events: own } of parts) {
      const member = this.named(projection.name);
      if (faulty.includes(member)) continue;
      if (held.has(member.name)) this.committed(member, own, position, events.at(-1));
      else this.recovery.bringBack(member);
    }
    for (const member of faulty) await this.recovery.findFault(session, member, member.ownOf(events), position);
  }

  private committed(member: Member, own: readonly StoredEvent[], position: bigint, newest?: StoredEvent): void {
    member.committed(own, position, newest);
    this.options.board.committed(member.name, position);
  }

  /** The rows of one that Postgres refuses, or ends the connection over, are left out. */
  private async writeParts(
    session: ProjectionSession,
    parts: readonly Part[],
    position: bigint,
    faulty: Member[],
  ): Promise<ReadonlySet<string>> {
    try {
      return parts.length === 0 ? new Set() : await writeSharedBatch(session, parts, position);
    } catch (error) {
      if (error instanceof ConnectionLost && this.named(error.projection).lostConnection())
        this.recovery.bringBack(this.named(error.projection), error);
      if (!(error instanceof PartRefused)) throw error;
      faulty.push(this.named(error.projection));
      const others = parts.filter(({ projection }) => projection.name !== error.projection);
      return this.writeParts(session, others, position, faulty);
    }
  }

  private async sayAlive(): Promise<void> {
    const present = this.members.filter(({ writer }) => writer !== undefined);
    const writers = present.flatMap(({ writer }) => writer ?? []);
    const held = await moveCheckpoints(this.session as ProjectionSession, writers, undefined);
    this.savedAt = performance.now();
    for (const member of present) if (!held.has(member.name)) this.recovery.bringBack(member);
  }

  private named(name: string): Member {
    return this.members.find((member) => member.name === name) as Member;
  }
}

interface Candidate {
  readonly member: Member;
  readonly checkpoint: Checkpoint;
}

/** Undefined is the start of the log. */
const leastOf = (members: readonly Member[]): bigint | undefined =>
  members.map(({ position }) => position).reduce((one, other) => (isBefore(other, one) ? other : one));

const isBefore = (one: bigint | undefined, other: bigint | undefined): boolean =>
  other !== undefined && (one === undefined || one < other);

/** Where most of them are: they are written together. The furthest of such places; one whose rows were swapped may be further. */
const commonPlace = (candidates: readonly Candidate[]): bigint | undefined => {
  const counts = new Map<bigint | undefined, number>();
  for (const { checkpoint } of candidates) counts.set(checkpoint.position, (counts.get(checkpoint.position) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const places = [...counts].filter(([, count]) => count === most).map(([place]) => place);
  return places.reduce((one, other) => (isBefore(one, other) ? other : one), undefined);
};

const becomeWriter = async (session: ProjectionSession, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && !(await session.tryLock(WRITER)))
    await session.query(
      `SELECT pg_terminate_backend(l.pid, ${DEPOSED_MS}) FROM pg_locks l
       JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 0)`,
      [WRITER],
    );
};
