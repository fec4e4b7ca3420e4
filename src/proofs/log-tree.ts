import { setImmediate as yieldTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
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
import { EventStore } from '../platform/eventstore/event-store.js';
import { LOGGER, type Logger } from '../platform/http/logging.js';
import { Leadership } from '../platform/leadership/leadership.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';
import { CONFIG } from '../platform/tokens.js';
import { LogRecords } from './log-records.js';
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

/** Milliseconds from the end of one round to the next. */
const LOOK_MS = 500;
/** Leaves that one statement stores at least, while more are there. */
const BATCH = 1_000;
/** Milliseconds between two notes that the tree is level with the log. */
const LEVEL_EVERY = 10_000;
/** A checkpoint is signed after so many events at the latest. */
const SIGNED_EVERY = 10_000;

/** The name under which PeriodicRunner claims the lead. */
const LEADERSHIP = 'LogTree.follow';

/** The tree in the memory of the process that grows it. */
interface Growing {
  readonly epoch: number;
  readonly origin: string;
  readonly tree: TreeFrontier;
  readonly edge: TileEdge;
  readonly leaves: LeafSequence;
  readonly records: LogRecords;
  /** Size of the stored tree. */
  stored: number;
  /** Commit position of the last stored leaf's event. */
  position: bigint | undefined;
  signed: number;
}

/** Grows the Merkle tree behind the log, and signs it. One instance of all does. */
@Injectable()
export class LogTree {
  private growing: Growing | undefined;
  /** On the monotonic clock. */
  private signedAt = -Infinity;
  /** On the monotonic clock. */
  private levelAt = -Infinity;
  private readonly writer: Writer = { query: (text, values) => this.leadership.query(LEADERSHIP, text, values) };

  constructor(
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly leadership: Leadership,
    private readonly hashes: KeyedHashes,
    private readonly keys: SigningKeys,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic({ every: LOOK_MS, role: 'jobs', alone: true })
  async follow(signal: AbortSignal): Promise<void> {
    try {
      const head = await this.store.head();
      const growing = await this.present(head, signal);
      await this.catchUp(growing, head, signal);
      if (performance.now() - this.signedAt >= this.config.checkpointEvery) await this.sign(growing);
      const isLevel = growing.records.isLevelWith(head) && !signal.aborted;
      if (isLevel && performance.now() - this.levelAt >= LEVEL_EVERY) await this.noteLevel(growing);
    } catch (error) {
      // Another instance may have grown the tree meanwhile, or a statement's outcome is unknown.
      this.growing?.records.close();
      this.growing = undefined;
      throw error;
    }
  }

  private async catchUp(growing: Growing, head: bigint | undefined, signal: AbortSignal): Promise<void> {
    const rows: Omit<LeafRow, 'epoch'>[] = [];
    let { position } = growing;
    for await (const records of growing.records.upTo(head)) {
      for (const record of records) {
        for (const leaf of growing.leaves.add(record)) rows.push(...this.append(growing, leaf));
        position = record.position;
      }
      if (rows.length >= BATCH) await this.keep(growing, rows.splice(0), position);
      else await yieldTurn();
      if (signal.aborted) break;
    }
    await this.keep(growing, rows, position);
  }

  private append({ tree, edge }: Growing, { hash, eventId, stream, revision }: LogLeaf): Omit<LeafRow, 'epoch'>[] {
    const index = tree.size;
    tree.append(hash, (height, at, node) => edge.add(height, at, node));
    // A leaf whose event was purged has no names.
    if (eventId === undefined || stream === undefined || revision === undefined) return [];
    return [{ index, eventId, stream, revision }];
  }

  private async keep(
    growing: Growing,
    leaves: readonly Omit<LeafRow, 'epoch'>[],
    position: bigint | undefined,
  ): Promise<void> {
    const { epoch, tree, edge, stored: from } = growing;
    const to = tree.size;
    if (to === from) return;
    const isOurs = await grow(this.writer, { epoch, from, to, position, tiles: edge.take(), leaves });
    if (!isOurs) throw new Unavailable('postgres', { cause: new Error('another instance grew the tree of the log') });
    growing.stored = to;
    growing.position = position;
    if (to - growing.signed >= SIGNED_EVERY) await this.sign(growing);
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

  /** The tree as this process holds it, or as it is stored. A log that ends before it was restored: another tree begins. */
  private async present(head: bigint | undefined, signal: AbortSignal): Promise<Growing> {
    if (this.growing !== undefined && !isAhead(this.growing, head)) return this.growing;
    this.growing?.records.close();
    const latest = await latestEpoch(this.database);
    if (latest !== undefined && !isAhead(latest, head)) return (this.growing = await this.load(latest, head, signal));
    if (latest !== undefined)
      this.logger.error(
        { epoch: latest.epoch, size: latest.size },
        'the log ends before its signed tree: it was restored',
      );
    return (this.growing = await this.begin((latest?.epoch ?? 0) + 1, head, signal));
  }

  private async begin(epoch: number, head: bigint | undefined, signal: AbortSignal): Promise<Growing> {
    const { publicUrl, environment } = this.config;
    const host = publicUrl === undefined ? `kyc-network.${environment}` : new URL(publicUrl).host;
    const previousCheckpoint = epoch === 1 ? null : ((await latestCheckpoint(this.database))?.note ?? '');
    const origin = `${host}/log/${epoch}`;
    await beginEpoch(this.writer, { epoch, origin, previousCheckpoint });
    return this.load({ epoch, origin, previousCheckpoint, size: 0, position: undefined }, head, signal);
  }

  private async load(
    { epoch, origin, previousCheckpoint, size, position }: Epoch,
    head: bigint | undefined,
    signal: AbortSignal,
  ): Promise<Growing> {
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
    const records = new LogRecords(this.store, position, head, signal);
    return { epoch, origin, tree, edge, leaves, records, stored: size, position, signed };
  }
}

const isAhead = ({ position }: Pick<Growing, 'position'>, head: bigint | undefined): boolean =>
  position !== undefined && (head === undefined || position > head);
