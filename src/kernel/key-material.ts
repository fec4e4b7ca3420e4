export const KEY_BYTES = 32;

/** The secrets from outside the stores: the root of all keyed hashes, and the versioned key-encryption keys. */
export interface KeyMaterial {
  /** The file or the variable that it came from, for messages. */
  readonly source: string;
  readonly indexRoot: Buffer;
  /** By version, from 1. */
  readonly encryptionKeys: ReadonlyMap<number, Buffer>;
}

/** The keys are wrong or missing, so the process must not serve. The message names the keys and the remedy. */
export class KeyMaterialError extends Error {
  override readonly name = 'KeyMaterialError';
}

/** The text is no key material. `problem` completes a sentence that begins with its source. */
export class MalformedKeyMaterial extends KeyMaterialError {
  constructor(
    source: string,
    readonly problem: string,
  ) {
    super(`${source} ${problem}`);
  }
}

const decodeKey = (value: unknown, name: string, source: string): Buffer => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) throw new MalformedKeyMaterial(source, `must hold 32 bytes in base64 as ${name}`);
  return bytes;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (text: string, source: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The parser's message would quote key material.
  }
  throw new MalformedKeyMaterial(
    source,
    'must hold JSON: {"index_root": "<base64>", "encryption_keys": {"1": "<base64>", …}}',
  );
};

/** Reads `{"index_root": "<base64>", "encryption_keys": {"<version>": "<base64>"}}`, each key of 32 bytes. */
export const parseKeyMaterial = (text: string, source: string): KeyMaterial => {
  const { index_root: root, encryption_keys: versions } = parseJson(text, source);
  const indexRoot = decodeKey(root, 'index_root', source);
  const encryptionKeys = new Map<number, Buffer>();
  for (const [version, key] of Object.entries(isRecord(versions) ? versions : {})) {
    if (!/^[1-9]\d{0,5}$/.test(version)) {
      throw new MalformedKeyMaterial(source, 'must name the keys in encryption_keys by version (1, 2, …)');
    }
    encryptionKeys.set(Number(version), decodeKey(key, `encryption_keys.${version}`, source));
  }
  if (encryptionKeys.size === 0)
    throw new MalformedKeyMaterial(source, 'must hold at least one key in encryption_keys');
  return { source, indexRoot, encryptionKeys };
};

/** The fault in a text of key material, which never quotes it. Undefined if there is none. */
export const problemOfKeyMaterial = (text: string): string | undefined => {
  try {
    parseKeyMaterial(text, '');
    return undefined;
  } catch (error) {
    if (error instanceof MalformedKeyMaterial) return error.problem;
    throw error;
  }
};

export const formatKeyMaterial = (material: KeyMaterial): string =>
  `${JSON.stringify(
    {
      index_root: material.indexRoot.toString('base64'),
      encryption_keys: Object.fromEntries(
        [...material.encryptionKeys].map(([version, key]) => [String(version), key.toString('base64')]),
      ),
    },
    null,
    2,
  )}\n`;
