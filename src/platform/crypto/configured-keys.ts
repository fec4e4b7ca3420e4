import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyMaterial, KeyMaterialError, parseKeyMaterial } from '../../kernel/key-material.js';
import { type Config } from '../config/config.js';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export const embeddedKeyFile = (dataDir: string): string => join(dataDir, 'keys.json');

/** The file that holds the keys; undefined if the variable KEYS holds them. */
export const keyFileOf = (keys: Config['keys'], dataDir: string): string | undefined =>
  keys.file ?? (keys.inline === undefined ? embeddedKeyFile(dataDir) : undefined);

/** The configured keys. Undefined if none are configured and the embedded file does not exist yet. */
export const readKeyMaterial = async (keys: Config['keys'], dataDir: string): Promise<KeyMaterial | undefined> => {
  const file = keyFileOf(keys, dataDir);
  if (file === undefined) return parseKeyMaterial(keys.inline ?? '', 'KEYS');
  try {
    return parseKeyMaterial(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof KeyMaterialError) throw error;
    if (isMissing(error) && keys.file === undefined) return undefined;
    throw new KeyMaterialError(`KEY_FILE ${file} cannot be read`, { cause: error });
  }
};
