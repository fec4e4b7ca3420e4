import { OperatorAudit } from '../accounts/operator-audit.js';
import { SealedAuditEntries } from '../audit/sealed-audit-entries.js';
import { type CategoryRegistry } from '../kernel/category-registry.js';
import { systemClock } from '../kernel/clock.js';
import { type Config } from '../platform/config/config.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { PostgresSnapshots } from '../log/append/snapshots.js';
import { type Database } from '../platform/postgres/database.js';
import { ProofReader } from '../proofs/proof-reader.js';
import { type AuditCommandContext } from './audit-context.js';
import { CommandLineActs } from './command-line-acts.js';
import { type Work } from './command-line.js';
import { openKeys } from './open-keys.js';
import { type Output } from './output.js';

interface AuditStores {
  readonly config: Pick<Config, 'keys' | 'dataDir'>;
  readonly store: EventStore;
  readonly database: Database;
  readonly categories: CategoryRegistry;
  readonly signal: AbortSignal;
  readonly output: Pick<Output, 'room' | 'note'>;
}

/** Works with what the commands of `audit` need. Throws KeyMaterialError where the keys are not those of the data. */
export const withAuditContext = async (stores: AuditStores, work: Work<AuditCommandContext>): Promise<number> => {
  const { config, store, database, categories } = stores;
  const { hashes, ring, vault } = await openKeys({ config, database });
  const keys = new SigningKeys(database, ring);
  const reader = new ProofReader(database, store, hashes, keys);
  const snapshots = new PostgresSnapshots(database, () => undefined);
  const operators = new OperatorAudit(new AggregateStore(categories, store, snapshots, systemClock), vault);
  const acts = new CommandLineActs(operators, hashes);
  return work({
    ...stores,
    hashes,
    vault,
    entries: new SealedAuditEntries(vault),
    verifierKeys: () => reader.verifierKeys(),
    signingKey: async () => (await keys.signer('log_checkpoint')).key,
    acts: () => Promise.resolve(acts),
  });
};
