import { randomUUID } from 'node:crypto';
import { ulid, uuidToULID } from 'ulid';
import { v5 } from 'uuid';
import { invariant } from './invariant.js';

/** `t` and 26 characters of lower-case Crockford base32 (a ULID). */
export type TenantId = string & { readonly tenantId: unique symbol };

export const ULID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
export const TENANT_ID = /^t[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const newTenantId = (): TenantId => `t${ulid().toLowerCase()}` as TenantId;

/**
 * The tenant id of a UUID: its 128 bits as a ULID. A request to open an account fixes a UUID before its effect. So a second
 * attempt opens the same account. Such an id holds no time.
 */
export const tenantIdOf = (uuid: string): TenantId => `t${uuidToULID(uuid).toLowerCase()}` as TenantId;

/** The member id of a UUID, which a request to invite fixes before its effect. */
export const memberIdOf = (uuid: string): string => `mbr_${uuidToULID(uuid).toLowerCase()}`;

export const isTenantId = (text: string): text is TenantId => TENANT_ID.test(text);

/** Lower case only. Own code: the uuid library accepts upper case too, which would give one thing two names. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The UUID of its 32 hexadecimal digits. */
export const uuidFromHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * The 128 bits of a tenant id as a UUID, for tables with many rows: 16 bytes, computed without a look-up. Own code: projections
 * compute it for every event, and the ulid library's conversion takes 2.7 times as long.
 */
export const tenantUuid = (tenantId: string): string => {
  invariant(isTenantId(tenantId), 'a tenant id is a ULID');
  let bits = 0n;
  for (const digit of tenantId.slice(1)) bits = (bits << 5n) | BigInt(ULID_DIGITS.indexOf(digit));
  return uuidFromHex(bits.toString(16).padStart(32, '0'));
};

/** A random UUID (version 4), from Node: the uuid library uses the same generator. */
export const newUuid = (): string => randomUUID();

/** The 32 hexadecimal digits of a UUID, as stream names hold them. */
export const uuidHex = (uuid: string): string => uuid.replaceAll('-', '');

/** A UUID derived from a namespace UUID and a name (version 5, RFC 9562 section 5.5). The same input gives the same id. */
export const deriveUuid = (namespace: string, name: string): string => v5(name, namespace);
