import { setImmediate as yieldTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { signCheckpoint } from '@kyc/log-proofs/checkpoint';
import { leafOfEpoch } from '@kyc/log-proofs/leaf';
import { LeafSequence, type RetiredLeaf } from '@kyc/log-proofs/log-leaves';
import { TreeFrontier } from '@kyc/log-proofs/merkle-tree';
import { type LogLeaf } from '@kyc/log-proofs/verify-log';
import { invariant } from '../kernel/invariant.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { EventStore, type LogRecord } from '../platform/eventstore/event-store.js';
import { Follower, type Following } from '../log/follow/follower.js';
import { type Batch } from '../log/follow/page-buffer.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { Leadership } from '../platform/leadership/leadership.js';
import { Database } from '../platform/postgres/database.js';
import { CONFIG } from '../platform/tokens.js';
import { lastRetirement, readRetired } from './retired-leaves.js';
import { nodesOf, TileEdge } from './tiles.js';
import {
  beginEpoch,
  checkpointsOf,
  type Epoch,
  grow,
  keepCheckpoint,
  latestCheckpoint,
  latestEpoch,
  type LeafRow,
  markLevel,
  tilesOf,
  type Writer,
} from './tree-rows.js';

/** Milliseconds until records are stored, and leaves that are stored at once, whichever comes first. */
const STORE_MS = 250;
const BATCH = 1_000;
/** Records in one turn, so that requests do not wait for a long page. */
const AT_ONCE = 50;
/** Milliseconds between two notes that the tree is level with the log. */
const LEVEL_INTERVAL_MS = 10_000;
/** A checkpoint is signed after so many events at the latest. */
const SIGNED_INTERVAL_MS = 10_000;

type Row = Omit<LeafRow, 'epoch'>;

/** The tree in the memory of the process that grows it. */
interface Growing {
  readonly epoch: number;
  readonly origin: string;
  readonly tree: TreeFrontier;
  readonly edge: TileEdge;
  readonly leaves: LeafSequence;
  /** Those that are not stored yet. */
  readonly rows: Row[];
  /** Size of the stored tree. */
  stored: number;
  /** Commit position of the last leaf's event. */
  position: bigint | undefined;
  signed: number;
  /** It was level with the log. */
  isLevel: boolean;
}

/** Grows the Merkle tree behind the log, and signs it. One instance of all does. */
@Injectable()
export class LogTree implements Following<LogRecord>, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly name = 'log-tree';
  readonly reachesEnd = true;
  readonly cut = { maxWeight: AT_ONCE, weightOf: () => 1 };
  private readonly follower: Follower<LogRecord>;
  private growing: Growing | undefined;
  /** All three on the monotonic clock. */
  private storedAt = -Infinity;
  private signedAt = -Infinity;
  private levelAt = -Infinity;
  private readonly writer: Writer = { query: (text, values) => this.leadership.query(this.name, text, values) };

  constructor(
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly leadership: Leadership,
    private readonly hashes: KeyedHashes,
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.follower = new Follower<LogRecord>(this, { store, log: logger, leadership });
  }

  onApplicationBootstrap(): void {
    if (this.config.roles.has('jobs')) this.follower.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.follower.stop();
  }

  readonly pages: Following<LogRecord>['pages'] = (store, after, signal) => store.subscribeToRecords({ after, signal });

  async begin(): Promise<bigint | undefined> {
    const growing = (this.growing = await this.present());
    return growing.position;
  }

  async take({ events, caughtUp }: Batch<LogRecord>): Promise<void> {
    const growing = this.growing as Growing;
    for (const record of events) {
      // A leaf that is signed twice could never be taken back.
      if (growing.position !== undefined && record.position <= growing.position) continue;
      for (const leaf of growing.leaves.add(record)) growing.rows.push(...this.append(growing, leaf));
      growing.position = record.position;
    }
    growing.isLevel ||= caughtUp;
    const isDue = growing.isLevel && performance.now() - this.storedAt >= STORE_MS;
    if (growing.rows.length >= BATCH || isDue || caughtUp) await this.keepUp(growing);
  }

  async idle(): Promise<void> {
    if (this.growing?.isLevel === true) await this.keepUp(this.growing);
  }

  /** Requests have their turn between pages. */
  async gather(): Promise<void> {
    await yieldTurn();
  }

  /** The next round reads it as it is stored: another instance may grow it meanwhile, or a statement's outcome is unknown. */
  end(): Promise<void> {
    this.growing = undefined;
    return Promise.resolve();
  }

  private async keepUp(growing: Growing): Promise<void> {
    await this.keep(growing);
    if (!growing.isLevel) return;
    if (performance.now() - this.signedAt >= this.config.checkpointEvery) await this.sign(growing);
    if (this.follower.waiting === 0 && performance.now() - this.levelAt >= LEVEL_INTERVAL_MS)
      await this.noteLevel(growing);
  }

  private append({ tree, edge }: Growing, { hash, eventId, stream, revision }: LogLeaf): Row[] {
    const index = tree.size;
    tree.append(hash, (height, at, node) => edge.add(height, at, node));
    // A leaf whose event was purged has no names.
    if (eventId === undefined || stream === undefined || revision === undefined) return [];
    return [{ index, eventId, stream, revision }];
  }

  private async keep(growing: Growing): Promise<void> {
    const { epoch, tree, edge, position, stored: from } = growing;
    const [to, leaves] = [tree.size, growing.rows.splice(0)];
    this.storedAt = performance.now();
    if (to === from) return;
    const isOurs = await grow(this.writer, { epoch, from, to, position, tiles: edge.take(), leaves });
    if (!isOurs) throw new Unavailable('postgres', { cause: new Error('another instance grew the tree of the log') });
    growing.stored = to;
    if (to - growing.signed >= SIGNED_INTERVAL_MS) await this.sign(growing);
  }

  private async sign(growing: Growing): Promise<void> {
    const { epoch, origin, tree, stored: size } = growing;
    invariant(size === tree.size, 'only what is stored is signed');
    if (size === growing.signed) return;
    const note = signCheckpoint({ origin, size, root: tree.root }, (await this.keys.signer('log_checkpoint')).key);
    await keepCheckpoint(this.writer, { epoch, size, note });
    growing.signed = size;
    this.signedAt = performance.now();
  }

  private async noteLevel({ epoch }: Growing): Promise<void> {
    await markLevel(this.writer, epoch);
    this.levelAt = performance.now();
  }

  /** The tree as it is stored. A log that ends before it was restored: another tree begins. */
  private async present(): Promise<Growing> {
    // The head is read after the tree: whoever grew it before may still have grown it.
    const latest = await latestEpoch(this.database);
    const head = await this.store.head();
    if (latest !== undefined && !isAhead(latest, head)) return this.load(latest);
    if (latest !== undefined)
      this.logger.error(
        { epoch: latest.epoch, size: latest.size },
        'the log ends before its signed tree: it was restored',
      );
    return this.beginTree((latest?.epoch ?? 0) + 1);
  }

  private async beginTree(epoch: number): Promise<Growing> {
    const { publicUrl, environment } = this.config;
    const host = publicUrl === undefined ? `kyc-network.${environment}` : new URL(publicUrl).host;
    const previousCheckpoint = epoch === 1 ? null : ((await latestCheckpoint(this.database))?.note ?? '');
    const origin = `${host}/log/${epoch}`;
    await beginEpoch(this.writer, { epoch, origin, previousCheckpoint });
    return this.load({ epoch, origin, previousCheckpoint, size: 0, position: undefined });
  }

  private async load({ epoch, origin, previousCheckpoint, size, position }: Epoch): Promise<Growing> {
    const readTile = tilesOf(this.database, epoch);
    const tree = await TreeFrontier.of(size, nodesOf(readTile));
    const edge = await TileEdge.of(size, readTile);
    if (size === 0 && previousCheckpoint !== null)
      tree.append(leafOfEpoch(previousCheckpoint), (height, at, node) => edge.add(height, at, node));
    // Only a tree that is made again from the log meets purged leaves: up to the event that retired the last of them.
    const lastRetired = await lastRetirement(this.store);
    const isBehind = lastRetired !== undefined && (position === undefined || position < lastRetired);
    const retired: readonly RetiredLeaf[] = isBehind ? await readRetired(this.store, epoch) : [];
    const leaves = new LeafSequence((id) => this.hashes.leafSalt(id), tree.size, retired);
    const signed = (await checkpointsOf(this.database, epoch)).at(-1)?.size ?? 0;
    return { epoch, origin, tree, edge, leaves, rows: [], stored: size, position, signed, isLevel: false };
  }
}

const isAhead = ({ position }: Pick<Growing, 'position'>, head: bigint | undefined): boolean =>
  position !== undefined && (head === undefined || position > head);
