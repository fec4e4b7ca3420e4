import { randomUUID } from 'node:crypto';
import { ulid, uuidToULID } from 'ulid';
import { v5 } from 'uuid';
import { invariant } from './invariant.js';

/** `t` and 26 characters of lower-case Crockford base32 (a ULID). */
export type TenantId = string & { readonly tenantId: unique symbol };

export const ULID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TENANT = /^t[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const newTenantId = (): TenantId => `t${ulid().toLowerCase()}` as TenantId;

/**
 * The tenant id that a UUID stands for: its 128 bits as a ULID. A request to open an account has a UUID fixed before its effect,
 * so that a second attempt opens the same account; such an id tells no time.
 */
export const tenantIdOf = (uuid: string): TenantId => `t${uuidToULID(uuid).toLowerCase()}` as TenantId;

export const isTenantId = (text: string): text is TenantId => TENANT.test(text);

/** In lower case only. Own: the uuid library takes upper case too, and that would be a second name of the same thing. */
export const isUuid = (text: string): boolean => UUID.test(text);

const uuidFromHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * The 128 bits of a tenant's id, for where many rows hold it: of 16 bytes, and nothing is looked up to tell it. Own: projections
 * ask for it with every event, and the ulid library's conversion takes 2.7 times as long.
 */
export const tenantUuid = (tenantId: string): string => {
  invariant(isTenantId(tenantId), 'a tenant id is a ULID');
  let bits = 0n;
  for (const digit of tenantId.slice(1)) bits = (bits << 5n) | BigInt(ULID_DIGITS.indexOf(digit));
  return uuidFromHex(bits.toString(16).padStart(32, '0'));
};

/** A random UUID (version 4), from Node, as the uuid library has it. */
export const newUuid = (): string => randomUUID();

/** A UUID as it stands in stream names: its 32 hexadecimal digits. */
export const uuidHex = (uuid: string): string => uuid.replaceAll('-', '');

/** A UUID derived from a namespace UUID and a name (version 5, RFC 9562 section 5.5): the same input, the same id. */
export const deriveUuid = (namespace: string, name: string): string => v5(name, namespace);
