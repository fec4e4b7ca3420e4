/**
 * `expiry`: APPROVED becomes EXPIRED. `purge`: the grace period after a soft deletion ends. `inactivity`: the
 * person was last ingested or restored as long ago as data may be kept, whether or not an identity came of it. `erasure`: decided, and to be completed at once.
 */
export type DueKind = 'expiry' | 'purge' | 'inactivity' | 'erasure';
