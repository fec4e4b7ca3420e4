import { Module } from '@nestjs/common';
import { EventProofs } from '../kernel/event-proofs.js';
import { LeafRetirement } from '../kernel/leaf-retirement.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { Database } from '../platform/postgres/database.js';
import { checkpointAnnouncer } from './checkpoint.announcer.js';
import { CheckpointPublisher } from './checkpoint-publisher.js';
import { ProofsController } from './http/proofs.controller.js';
import { TransparencyController } from './http/transparency.controller.js';
import { LogLeafRetirement } from './log-leaf-retirement.js';
import { LogTree } from './log-tree.js';
import { LogTreeState } from './log-tree-state.js';
import { ProofReader } from './proof-reader.js';

/** Evidence that the log is what it was: a Merkle tree over all events, signed checkpoints, and proofs. */
@Module({
  imports: [MonitoringModule, AnnouncementsModule.forFeature(checkpointAnnouncer)],
  controllers: [TransparencyController, ProofsController],
  providers: [
    LogTree,
    LogTreeState,
    CheckpointPublisher,
    ProofReader,
    { provide: EventProofs, useExisting: ProofReader },
    { provide: LeafRetirement, useClass: LogLeafRetirement },
    {
      provide: SigningKeys,
      inject: [Database, KeyRing],
      useFactory: (database: Database, ring: KeyRing) => new SigningKeys(database, ring),
    },
  ],
  exports: [LeafRetirement, EventProofs],
})
export class ProofsModule {}
