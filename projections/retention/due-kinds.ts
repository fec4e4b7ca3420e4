/**
 * `expiry`: APPROVED becomes EXPIRED. `purge`: the grace period after a soft deletion ends. `inactivity`: nothing has
 * happened to the identity for as long as its data may be kept. `erasure`: decided, and to be completed at once.
 */
export type DueKind = 'expiry' | 'purge' | 'inactivity' | 'erasure';
