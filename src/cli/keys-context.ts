import { type Config } from '../platform/config/config.js';
import { type KeyMaterial, KeyMaterialError } from '../kernel/key-material.js';
import { readKeyMaterial } from '../platform/crypto/configured-keys.js';
import { type LostKeys } from '../platform/crypto/lost-keys.js';
import { verifyKeyMaterial } from '../platform/crypto/verify-key-material.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Database } from '../platform/postgres/database.js';
import { type Recording } from './command-line-acts.js';

export interface KeysCommandContext extends Recording {
  readonly config: Pick<Config, 'keys' | 'dataDir'>;
  readonly database: Database;
  readonly store: EventStore;
  readonly lostKeys: LostKeys;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** How long a rotation waits for running instances to take up the new version, milliseconds; default 60,000. */
  readonly waitBudget?: number;
}

export const verifiedMaterial = async ({
  config,
  database,
}: Pick<KeysCommandContext, 'config' | 'database'>): Promise<KeyMaterial> => {
  const material = await readKeyMaterial(config.keys, config.dataDir);
  if (material === undefined)
    throw new KeyMaterialError(`there is no key file in ${config.dataDir} yet: start the service once`);
  await verifyKeyMaterial(material, database);
  return material;
};
