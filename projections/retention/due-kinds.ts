/**
 * `first_notice`, `last_notice`: what tells ahead of the expiry; they stand with its time. `expiry`: APPROVED becomes EXPIRED. `purge`: the grace period after a soft deletion ends. `inactivity`: the last
 * ingestion or restoration of the person has reached the retention limit, with or without an identity. `erasure`: the
 * erasure is decided and must be completed at once.
 */
export type DueKind = 'first_notice' | 'last_notice' | 'expiry' | 'purge' | 'inactivity' | 'erasure';
