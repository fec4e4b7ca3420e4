import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { invariant } from './invariant.js';

/** `t` and 26 characters of lower-case Crockford base32 (a ULID). */
export type TenantId = string & { readonly tenantId: unique symbol };

export const ULID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TENANT = /^t[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const encodeBase32 = (value: bigint, length: number): string => {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = ULID_DIGITS.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
};

/** A ULID in lower case: 48 bits of milliseconds, 80 random bits. */
export const newUlid = (milliseconds: number = Date.now()): string =>
  encodeBase32(BigInt(milliseconds), 10) + encodeBase32(BigInt(`0x${randomBytes(10).toString('hex')}`), 16);

export const newTenantId = (milliseconds?: number): TenantId => `t${newUlid(milliseconds)}` as TenantId;

export const isTenantId = (text: string): text is TenantId => TENANT.test(text);

export const isUuid = (text: string): boolean => UUID.test(text);

/** The 128 bits of a tenant's id, for where many rows hold it: of 16 bytes, and nothing is looked up to tell it. */
export const tenantUuid = (tenantId: string): string => {
  invariant(isTenantId(tenantId), 'a tenant id is a ULID');
  let bits = 0n;
  for (const digit of tenantId.slice(1)) bits = (bits << 5n) | BigInt(ULID_DIGITS.indexOf(digit));
  return uuidFromHex(bits.toString(16).padStart(32, '0'));
};

/** A random UUID (version 4). */
export const newUuid = (): string => randomUUID();

/** A UUID as it stands in stream names: its 32 hexadecimal digits. */
export const uuidHex = (uuid: string): string => uuid.replaceAll('-', '');

export const uuidFromHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const formatUuid = (bytes: Buffer, version: number): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidFromHex(bytes.toString('hex', 0, 16));
};

/** A UUID derived from a namespace UUID and a name (version 5, RFC 9562 section 5.5): the same input, the same id. */
export const deriveUuid = (namespace: string, name: string): string =>
  formatUuid(
    createHash('sha1')
      .update(Buffer.from(uuidHex(namespace), 'hex'))
      .update(name)
      .digest(),
    5,
  );
