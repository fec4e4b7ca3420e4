import { createDecipheriv } from 'node:crypto';
import pg from 'pg';
import { readKeyMaterial } from '../../../src/platform/crypto/configured-keys.js';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';

interface KeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly subject: string;
  readonly version: number;
  readonly wrapped: Buffer;
}

/** Every remaining data key of a database, unwrapped with the deployment's key material. */
export const remainingKeys = async (databaseUrl: string, keys: string): Promise<Buffer[]> => {
  const material = await readKeyMaterial({ file: undefined, inline: keys }, '');
  if (material === undefined) throw new Error('there is no key material');
  const ring = new KeyRing(material);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<KeyRow>(
      'SELECT id::text, tenant_id AS "tenantId", subject, encryption_key_version AS version, wrapped FROM data_keys',
    );
    return rows.map((row) => ring.unwrap(row, row));
  } finally {
    await client.end();
  }
};

const ENVELOPE = /\{[^{}]*"A256GCM"[^{}]*\}/g;
const TAG_BYTES = 16;

/**
 * Decrypts every envelope in this text with every one of these keys, without the authentication tag. The search therefore
 * ignores the place that a ciphertext is bound to and the key that it names.
 */
export const openedWith = (keys: readonly Buffer[], text: string): Buffer => {
  const opened: Buffer[] = [];
  for (const [found] of text.replaceAll('\\"', '"').matchAll(ENVELOPE)) {
    const { iv, ct } = JSON.parse(found) as { iv: string; ct: string };
    const sealed = Buffer.from(ct, 'base64url').subarray(0, -TAG_BYTES);
    for (const key of keys) {
      opened.push(createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url')).update(sealed), Buffer.from('\n'));
    }
  }
  return Buffer.concat(opened);
};
