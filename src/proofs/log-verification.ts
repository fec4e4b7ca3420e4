import { type Checkpoint, CheckpointError, openCheckpoint, type VerifierKey } from '@kyc/log-proofs/checkpoint';
import { leafOfEpoch } from '@kyc/log-proofs/leaf';
import { leavesOf } from '@kyc/log-proofs/log-leaves';
import { type LogReport, type RecordedLeaf, verifyLog } from '@kyc/log-proofs/verify-log';
import { ahead } from '../kernel/ahead.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';
import { readRetired } from './retired-leaves.js';
import { leafHashesOf } from './tiles.js';
import { checkpointsOf, type Epoch, latestEpoch, leavesFrom, tilesOf } from './tree-rows.js';

export interface VerifiedParts {
  readonly store: EventStore;
  readonly database: Queryable;
  readonly hashes: Pick<KeyedHashes, 'leafSalt'>;
  readonly keys: readonly VerifierKey[];
  /** A signed note that was kept outside. */
  readonly against?: string | undefined;
}

export interface LogVerdict extends LogReport {
  readonly origin: string;
  /** What is wrong with a checkpoint itself. */
  readonly unsigned: readonly string[];
}

/** Lost leaves end the recorded tree before what was signed. */
async function* recordedLeaves(database: Queryable, { epoch, size }: Epoch): AsyncGenerator<readonly RecordedLeaf[]> {
  const pages = leafHashesOf(size, tilesOf(database, epoch));
  for await (const hashes of ahead(pages)) yield hashes.map((hash) => ({ hash }));
}

/** Signed notes as checkpoints, and what is wrong with each of the others. */
export const openNotes = (
  notes: readonly { readonly name: string; readonly note: string }[],
  keys: readonly VerifierKey[],
): { readonly checkpoints: Checkpoint[]; readonly unsigned: string[] } => {
  const [checkpoints, unsigned]: [Checkpoint[], string[]] = [[], []];
  for (const { name, note } of notes) {
    try {
      checkpoints.push(openCheckpoint(note, keys));
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      unsigned.push(`${name}: ${error.message}`);
    }
  }
  return { checkpoints, unsigned };
};

/** Undefined before the first leaf. Reads the whole log; memory does not grow with it unless a difference is found. */
export const verifyStoredLog = async (parts: VerifiedParts): Promise<LogVerdict | undefined> => {
  const { store, database, hashes, keys, against } = parts;
  const epoch = await latestEpoch(database);
  if (epoch === undefined) return undefined;
  const signed = await checkpointsOf(database, epoch.epoch);
  const kept = signed.map(({ size, note }) => ({ name: `the checkpoint of ${size} events`, note, size }));
  const { checkpoints, unsigned } = openNotes(
    against === undefined ? kept : [...kept, { name: 'the checkpoint kept outside', note: against }],
    keys,
  );
  const { previousCheckpoint } = epoch;
  const log = leavesOf({
    events: store.readAllRecords(),
    retired: await readRetired(store, epoch.epoch),
    epochLeaf: previousCheckpoint === null ? undefined : leafOfEpoch(previousCheckpoint),
    saltOf: (eventId) => hashes.leafSalt(eventId),
  });
  const foreign = checkpoints.filter(({ origin }) => origin !== epoch.origin).map(({ origin }) => origin);
  const report = await verifyLog({
    log,
    recorded: recordedLeaves(database, epoch),
    nameOf: async (index) =>
      (await leavesFrom(database, epoch.epoch, index, 1)).find((leaf) => leaf.index === index)?.eventId,
    checkpoints: checkpoints.filter(({ origin }) => origin === epoch.origin),
  });
  return {
    ...report,
    origin: epoch.origin,
    unsigned: [...unsigned, ...foreign.map((origin) => `a checkpoint is of ${origin}, not of ${epoch.origin}`)],
  };
};
