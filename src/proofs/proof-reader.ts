import { Injectable } from '@nestjs/common';
import { formatVerifierKey, verifierKeyOf } from '@kyc/log-proofs/checkpoint';
import { consistencyProof, inclusionProof, type Hash } from '@kyc/log-proofs/merkle-tree';
import { type ProofFile, writeProof } from '@kyc/log-proofs/proof-file';
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
  leafOfEventId,
  originsOfEpochs,
  type SignedCheckpoint,
  tilesOf,
} from './tree-rows.js';

/** Reads the tree of the log and what was signed of it. */
@Injectable()
export class ProofReader {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly hashes: KeyedHashes,
    private readonly keys: SigningKeys,
  ) {}

  /** The newest; undefined before the first. */
  checkpoint(): Promise<SignedCheckpoint | undefined> {
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
    const epoch = (await latestEpoch(this.database))?.epoch;
    const leaf = epoch === undefined ? undefined : await leafOfEventId(this.database, epoch, eventId);
    if (leaf === undefined || tenantOfStream(leaf.stream) !== tenantId) return undefined;
    const checkpoint = await this.checkpoint();
    if (checkpoint?.epoch !== leaf.epoch || checkpoint.size <= leaf.index) return null;
    const event = await this.store.readRecord(leaf.stream, leaf.revision);
    if (event === undefined) return undefined;
    const proof = await inclusionProof(leaf.index, checkpoint.size, nodesOf(tilesOf(this.database, leaf.epoch)));
    const salt = this.hashes.leafSalt(eventId);
    return writeProof({ event, salt, index: leaf.index, proof, checkpoint: checkpoint.note });
  }
}
