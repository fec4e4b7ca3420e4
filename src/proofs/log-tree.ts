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
  tilesOf,
  type Writer,
} from './tree-rows.js';

/** Milliseconds from the end of one round to the next. */
const LOOK_MS = 1_000;
/** Leaves that one statement stores at least, while more are there. */
const BATCH = 1_000;
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
      const growing = await this.present();
      await this.catchUp(growing, signal);
      if (performance.now() - this.signedAt >= this.config.checkpointEvery) await this.sign(growing);
    } catch (error) {
      // Another instance may have grown the tree meanwhile, or a statement's outcome is unknown.
      this.growing = undefined;
      throw error;
    }
  }

  private async catchUp(growing: Growing, signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const until = AbortSignal.any([signal, end.signal]);
    const rows: Omit<LeafRow, 'epoch'>[] = [];
    let { position } = growing;
    try {
      for await (const page of this.store.subscribeToRecords({ after: position, signal: until })) {
        let isLive = false;
        for (const delivery of page) {
          if (delivery.kind === 'caught_up') isLive = true;
          if (delivery.kind !== 'event') continue;
          for (const leaf of growing.leaves.add(delivery.event)) rows.push(...this.append(growing, leaf));
          position = delivery.event.position;
        }
        if (rows.length >= BATCH) await this.keep(growing, rows.splice(0), position);
        if (isLive) break;
      }
      await this.keep(growing, rows, position);
    } finally {
      end.abort();
    }
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

  /** The tree as this process holds it, or as it is stored. A log that ends before it was restored: another tree begins. */
  private async present(): Promise<Growing> {
    const head = await this.store.head();
    if (this.growing !== undefined && !isAhead(this.growing, head)) return this.growing;
    const latest = await latestEpoch(this.database);
    if (latest !== undefined && !isAhead(latest, head)) return (this.growing = await this.load(latest));
    if (latest !== undefined)
      this.logger.error(
        { epoch: latest.epoch, size: latest.size },
        'the log ends before its signed tree: it was restored',
      );
    return (this.growing = await this.begin((latest?.epoch ?? 0) + 1));
  }

  private async begin(epoch: number): Promise<Growing> {
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
    return { epoch, origin, tree, edge, leaves, stored: size, position, signed };
  }
}

const isAhead = ({ position }: Pick<Growing, 'position'>, head: bigint | undefined): boolean =>
  position !== undefined && (head === undefined || position > head);
