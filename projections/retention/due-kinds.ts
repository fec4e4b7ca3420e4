import { type ExpiryNotice } from '../../src/kernel/expiry-notices.js';

/**
 * `first_notice`, `last_notice`: the notices before the expiry; their time is that of the expiry. `expiry`: APPROVED becomes
 * EXPIRED. `purge`: the grace period after a soft deletion ends. `inactivity`: the last ingestion or restoration of the person has
 * reached the retention limit, with or without an identity. `erasure`: the erasure is decided and must be completed at once.
 */
export type DueKind = 'first_notice' | 'last_notice' | 'expiry' | 'purge' | 'inactivity' | 'erasure';

export const NOTICE_OF: Readonly<Partial<Record<string, ExpiryNotice>>> = {
  first_notice: 'first',
  last_notice: 'last',
};
