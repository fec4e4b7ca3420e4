import { systemClock } from '../kernel/clock.js';
import { DataKeys } from '../platform/crypto/data-keys.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { HmacKeyedHashes } from '../platform/crypto/keyed-hashes.js';
import { PostgresVault } from '../platform/crypto/postgres-vault.js';
import { takeSealsIn, TenantKeys } from '../platform/crypto/tenant-keys.js';
import { type KeysCommandContext, verifiedMaterial } from './keys-context.js';

export interface OpenKeys {
  readonly hashes: HmacKeyedHashes;
  readonly ring: KeyRing;
  readonly vault: PostgresVault;
}

/** The deployment's keys for one command. Throws KeyMaterialError where they are not those of the data. */
export const openKeys = async (stores: Pick<KeysCommandContext, 'config' | 'database'>): Promise<OpenKeys> => {
  const material = await verifiedMaterial(stores);
  const hashes = new HmacKeyedHashes(material.indexRoot);
  const ring = new KeyRing(material);
  const keys = new DataKeys(stores.database, ring, systemClock);
  const tenantKeys = new TenantKeys(keys, takeSealsIn(stores.database), systemClock);
  return { hashes, ring, vault: new PostgresVault(keys, tenantKeys, hashes, systemClock) };
};
