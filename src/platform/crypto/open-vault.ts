import { type Clock } from '../../kernel/clock.js';
import { type Config } from '../config/config.js';
import { type Database } from '../postgres/database.js';
import { DataKeys } from './data-keys.js';
import { createKeyMaterial, refuseSharedKeyFile } from './key-file.js';
import { type KeyMaterial, KeyMaterialError } from '../../kernel/key-material.js';
import { embeddedKeyFile, readKeyMaterial } from './configured-keys.js';
import { KeyRing } from './key-ring.js';
import { KeyWatch } from './key-watch.js';
import { HmacKeyedHashes } from './keyed-hashes.js';
import { PostgresVault } from './postgres-vault.js';
import { takeSealsIn, TenantKeys } from './tenant-keys.js';
import { storedCheckValues, verifyKeyMaterial } from './verify-key-material.js';

export interface OpenVault {
  readonly vault: PostgresVault;
  readonly hashes: HmacKeyedHashes;
  readonly ring: KeyRing;
  readonly keys: DataKeys;
  readonly watch: KeyWatch;
  /** Ends the reports of this instance. */
  readonly close: () => void;
}

const obtainKeyMaterial = async (
  config: Pick<Config, 'keys' | 'dataDir'>,
  database: Database,
): Promise<KeyMaterial> => {
  const present = await readKeyMaterial(config.keys, config.dataDir);
  if (present !== undefined) {
    // Access rights to a file from elsewhere are up to its operators.
    if (present.source === embeddedKeyFile(config.dataDir)) await refuseSharedKeyFile(present.source);
    return present;
  }
  // New keys beside old data would make that data unreadable for good. The operator has to restore the old file.
  if ((await storedCheckValues(database)).size > 0) {
    throw new KeyMaterialError(`the key file in ${config.dataDir} is gone; restore keys.json from its back-up`);
  }
  return createKeyMaterial(config.dataDir);
};

/** Obtains and verifies the keys. Throws KeyMaterialError if they are wrong or missing. */
export const openVault = async (
  config: Pick<Config, 'keys' | 'dataDir'>,
  database: Database,
  clock: Clock,
  forgottenWithin?: number,
): Promise<OpenVault> => {
  const material = await obtainKeyMaterial(config, database);
  await verifyKeyMaterial(material, database);
  const ring = new KeyRing(material);
  const hashes = new HmacKeyedHashes(material.indexRoot);
  const keys = new DataKeys(database, ring, clock, forgottenWithin);
  const watch = new KeyWatch(config, database, ring);
  await watch.start();
  const tenantKeys = new TenantKeys(keys, takeSealsIn(database), clock);
  const vault = new PostgresVault(keys, tenantKeys, hashes, clock);
  return { vault, hashes, ring, keys, watch, close: () => watch.close() };
};
