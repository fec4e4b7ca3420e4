import { Injectable } from '@nestjs/common';
import { formatVerifierKey, verifierKeyOf } from '@kyc/log-proofs/checkpoint';
import { consistencyProof, inclusionProof, type Hash, type ReadNode } from '@kyc/log-proofs/merkle-tree';
import { type ProofFile, writeProof } from '@kyc/log-proofs/proof-file';
import pMap from 'p-map';
import { EventProofs } from '../kernel/event-proofs.js';
import { tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Database } from '../platform/postgres/database.js';
import { nodesOf } from './tiles.js';
import {
  latestCheckpoint,
  latestEpoch,
  type LeafRow,
  leavesOfEvents,
  originsOfEpochs,
  type SignedCheckpoint,
  tilesOf,
} from './tree-rows.js';

/** Events that are read from the store at once, for one page of proofs. */
const READS_AT_ONCE = 8;

/** Reads the tree of the log and what was signed of it. */
@Injectable()
export class ProofReader extends EventProofs {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly hashes: KeyedHashes,
    private readonly keys: SigningKeys,
  ) {
    super();
  }

  override checkpoint(): Promise<SignedCheckpoint | undefined> {
    return latestCheckpoint(this.database);
  }

  /** Verifier keys (C2SP signed-note) of every tree: each key may have signed any of them. */
  async verifierKeys(): Promise<readonly string[]> {
    const keys = await this.keys.all('log_checkpoint');
    const origins = await originsOfEpochs(this.database);
    return origins.flatMap((origin) => keys.map(({ key }) => formatVerifierKey(verifierKeyOf(origin, key))));
  }

  consistency(epoch: number, first: number, second: number): Promise<Hash[]> {
    return consistencyProof(first, second, nodesOf(tilesOf(this.database, epoch)));
  }

  /**
   * The proof of a tenant's own event. Undefined if the tenant has no such event, or no longer. Null if it is newer than
   * the last checkpoint.
   */
  async inclusion(tenantId: TenantId, eventId: string): Promise<ProofFile | null | undefined> {
    return (await this.of(tenantId, [eventId])).get(eventId);
  }

  override async of(tenantId: TenantId, eventIds: readonly string[]): Promise<ReadonlyMap<string, ProofFile | null>> {
    const epoch = (await latestEpoch(this.database))?.epoch;
    if (epoch === undefined) return new Map();
    const [leaves, checkpoint] = await Promise.all([leavesOfEvents(this.database, epoch, eventIds), this.checkpoint()]);
    const own = leaves.filter(({ stream }) => tenantOfStream(stream) === tenantId);
    // One reader for all of them: their paths share most tiles.
    const node = nodesOf(tilesOf(this.database, epoch));
    const proofs = await pMap(own, (leaf) => this.proofOf(leaf, checkpoint, node), { concurrency: READS_AT_ONCE });
    return new Map(
      proofs.flatMap((proof, at) => (proof === undefined ? [] : [[own[at]?.eventId ?? '', proof] as const])),
    );
  }

  private async proofOf(
    { epoch, index, eventId, stream, revision }: LeafRow,
    checkpoint: SignedCheckpoint | undefined,
    node: ReadNode,
  ): Promise<ProofFile | null | undefined> {
    if (checkpoint?.epoch !== epoch || checkpoint.size <= index) return null;
    const path = inclusionProof(index, checkpoint.size, node);
    // Whether the event is there decides first.
    path.catch(() => undefined);
    const event = await this.store.readRecord(stream, revision);
    if (event === undefined) return undefined;
    const proof = await path;
    return writeProof({ event, salt: this.hashes.leafSalt(eventId), index, proof, checkpoint: checkpoint.note });
  }
}
