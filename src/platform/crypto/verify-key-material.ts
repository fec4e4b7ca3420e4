import { type Database, type Queryable } from '../postgres/database.js';
import { type KeyMaterial, KeyMaterialError } from '../../kernel/key-material.js';
import { checkValue } from './key-ring.js';

const ROOT_NAME = 'index_root';
const VERSION_NAME = /^encryption_key_(\d+)$/;
const versionName = (version: number): string => `encryption_key_${version}`;

export const storedCheckValues = async (database: Queryable): Promise<ReadonlyMap<string, string>> => {
  const rows = await database.query<{ name: string; check_value: string }>(
    'SELECT name, check_value FROM key_check_values',
  );
  return new Map(rows.map((row) => [row.name, row.check_value]));
};

const versionsIn = (stored: ReadonlyMap<string, string>): readonly number[] =>
  [...stored.keys()].flatMap((name) => VERSION_NAME.exec(name)?.slice(1).map(Number) ?? []);

/** Every version that this deployment has seen a key of, even if the key is gone. */
export const knownVersions = async (database: Queryable): Promise<readonly number[]> =>
  versionsIn(await storedCheckValues(database));

const checkValuesOf = (material: KeyMaterial): Map<string, string> =>
  new Map([
    [ROOT_NAME, checkValue(material.indexRoot)],
    ...[...material.encryptionKeys].map(([version, key]) => [versionName(version), checkValue(key)] as const),
  ]);

const refuseOtherKeys = (material: KeyMaterial, stored: ReadonlyMap<string, string>): void => {
  for (const [name, value] of checkValuesOf(material)) {
    if ((stored.get(name) ?? value) !== value) {
      throw new KeyMaterialError(
        `${material.source}: ${name} is not the key that this deployment's data is under; restore the right key file`,
      );
    }
  }
};

/** Steps from version to version through the index, independent of the number of rows. */
const USED_VERSIONS = `
  WITH RECURSIVE used AS (
    (SELECT encryption_key_version AS version FROM data_keys ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT encryption_key_version FROM data_keys WHERE encryption_key_version > used.version ORDER BY 1 LIMIT 1)
    FROM used WHERE used.version IS NOT NULL)
  SELECT version FROM used WHERE version IS NOT NULL
  UNION SELECT encryption_key_version FROM signing_keys
  ORDER BY version`;

const refuseMissingVersions = async (material: KeyMaterial, database: Queryable): Promise<void> => {
  const used = await database.query<{ version: number }>(USED_VERSIONS);
  const missing = used.map((row) => row.version).filter((version) => !material.encryptionKeys.has(version));
  if (missing.length > 0) {
    throw new KeyMaterialError(
      `${material.source}: encryption_keys lacks version ${missing.join(', ')}, which data keys are still wrapped under`,
    );
  }
};

/**
 * New keys stand beside those in use. A file that shares none of them belongs to another deployment, or was created by mistake.
 */
const refuseStrangers = ({ source, encryptionKeys }: KeyMaterial, stored: ReadonlyMap<string, string>): void => {
  const known = versionsIn(stored);
  if (known.length > 0 && !known.some((version) => encryptionKeys.has(version))) {
    throw new KeyMaterialError(
      `${source}: encryption_keys holds none of this deployment's versions (${known.join(', ')}); restore the right key file`,
    );
  }
};

const remember = async (material: KeyMaterial, database: Queryable): Promise<void> => {
  const present = checkValuesOf(material);
  await database.query(
    `INSERT INTO key_check_values (name, check_value) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO NOTHING`,
    [[...present.keys()], [...present.values()]],
  );
};

/**
 * Throws KeyMaterialError if a key differs from one seen before, or if a needed one is missing; then stores nothing. Otherwise
 * stores the check values of new keys beside the known ones.
 */
export const verifyKeyMaterial = (material: KeyMaterial, database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    // If two new files arrive at the same moment, the second is compared with the values of the first.
    await transaction.query('LOCK TABLE key_check_values IN SHARE ROW EXCLUSIVE MODE');
    const stored = await storedCheckValues(transaction);
    refuseOtherKeys(material, stored);
    await refuseMissingVersions(material, transaction);
    refuseStrangers(material, stored);
    await remember(material, transaction);
  });

/** Removes the check value of a version whose key was written to no file. */
export const forgetVersion = async (version: number, key: Buffer, database: Queryable): Promise<void> => {
  await database.query('DELETE FROM key_check_values WHERE name = $1 AND check_value = $2', [
    versionName(version),
    checkValue(key),
  ]);
};
