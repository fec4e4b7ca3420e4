import { type Clock } from '../../kernel/clock.js';
import { type Config } from '../config/config.js';
import { type Database } from '../postgres/database.js';
import { DataKeys } from './data-keys.js';
import { createKeyMaterial, type KeyMaterial, KeyMaterialError, readKeyMaterial } from './key-material.js';
import { checkValue, KeyRing } from './key-ring.js';
import { HmacKeyedHashes } from './keyed-hashes.js';
import { migrate } from './migrate.js';
import { PostgresVault } from './postgres-vault.js';

export interface OpenVault {
  readonly vault: PostgresVault;
  readonly hashes: HmacKeyedHashes;
  readonly ring: KeyRing;
  /** Forgets every data key. */
  readonly close: () => void;
}

const ROOT_NAME = 'index_root';
const versionName = (version: number): string => `encryption_key_${version}`;

const storedCheckValues = async (database: Database): Promise<Map<string, string>> => {
  const rows = await database.query<{ name: string; check_value: string }>(
    'SELECT name, check_value FROM key_check_values',
  );
  return new Map(rows.map((row) => [row.name, row.check_value]));
};

const checkValuesOf = (material: KeyMaterial): Map<string, string> =>
  new Map([
    [ROOT_NAME, checkValue(material.indexRoot)],
    ...[...material.encryptionKeys].map(([version, key]) => [versionName(version), checkValue(key)] as const),
  ]);

/** Remembers the check values of secrets seen for the first time and refuses any that differ from what was seen before. */
export const verifyKeyMaterial = async (material: KeyMaterial, database: Database): Promise<void> => {
  const present = checkValuesOf(material);
  await database.query(
    `INSERT INTO key_check_values (name, check_value) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO NOTHING`,
    [[...present.keys()], [...present.values()]],
  );
  const stored = await storedCheckValues(database);
  for (const [name, value] of present) {
    if (stored.get(name) !== value) {
      throw new KeyMaterialError(
        `${material.source}: ${name} is not the key that this deployment's data is under; restore the right key file`,
      );
    }
  }
  await refuseMissingVersions(material, database);
};

const refuseMissingVersions = async (material: KeyMaterial, database: Database): Promise<void> => {
  const used = await database.query<{ version: number }>(
    'SELECT DISTINCT encryption_key_version AS version FROM data_keys ORDER BY version',
  );
  const missing = used.map((row) => row.version).filter((version) => !material.encryptionKeys.has(version));
  if (missing.length > 0) {
    throw new KeyMaterialError(
      `${material.source}: encryption_keys lacks version ${missing.join(', ')}, which data keys are still wrapped under`,
    );
  }
};

const obtainKeyMaterial = async (
  config: Pick<Config, 'keys' | 'dataDir'>,
  database: Database,
): Promise<KeyMaterial> => {
  const present = await readKeyMaterial(config.keys, config.dataDir);
  if (present !== undefined) return present;
  // New keys beside old data would lock it away for good: the old file has to come back instead.
  if ((await storedCheckValues(database)).size > 0) {
    throw new KeyMaterialError(`the key file in ${config.dataDir} is gone; restore keys.json from its back-up`);
  }
  return createKeyMaterial(config.dataDir);
};

/** Creates the tables, obtains and verifies the keys; throws KeyMaterialError where they are wrong or missing. */
export const openVault = async (
  config: Pick<Config, 'keys' | 'dataDir'>,
  database: Database,
  clock: Clock,
): Promise<OpenVault> => {
  await migrate(database);
  const material = await obtainKeyMaterial(config, database);
  await verifyKeyMaterial(material, database);
  const ring = new KeyRing(material);
  const hashes = new HmacKeyedHashes(material.indexRoot);
  const keys = new DataKeys(database, ring, clock);
  return { vault: new PostgresVault(keys, hashes), hashes, ring, close: () => keys.close() };
};
