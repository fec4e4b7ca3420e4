import { type Database } from '../postgres/database.js';
import { type KeyMaterial, KeyMaterialError } from './key-material.js';
import { checkValue } from './key-ring.js';

const ROOT_NAME = 'index_root';
const versionName = (version: number): string => `encryption_key_${version}`;

export const storedCheckValues = async (database: Database): Promise<Map<string, string>> => {
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

/** Steps from version to version through the index, however many rows each has. */
const USED_VERSIONS = `
  WITH RECURSIVE used AS (
    (SELECT encryption_key_version AS version FROM data_keys ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT encryption_key_version FROM data_keys WHERE encryption_key_version > used.version ORDER BY 1 LIMIT 1)
    FROM used WHERE used.version IS NOT NULL)
  SELECT version FROM used WHERE version IS NOT NULL
  UNION SELECT encryption_key_version FROM signing_keys
  ORDER BY version`;

const refuseMissingVersions = async (material: KeyMaterial, database: Database): Promise<void> => {
  const used = await database.query<{ version: number }>(USED_VERSIONS);
  const missing = used.map((row) => row.version).filter((version) => !material.encryptionKeys.has(version));
  if (missing.length > 0) {
    throw new KeyMaterialError(
      `${material.source}: encryption_keys lacks version ${missing.join(', ')}, which data keys are still wrapped under`,
    );
  }
};
