/** Expected revisions with the numbers of the protocol's error details. Zero and above are revisions. */
export const ANY = -2;
export const NO_STREAM = -1;
export const STREAM_EXISTS = -4;

/** The revision of a tombstone, the largest possible. In SQL and on the wire it is 2^63 - 1. */
export const TOMBSTONED = Number.POSITIVE_INFINITY;
const MAX_INT64 = '9223372036854775807';

/** Converts a revision or a position. A value beyond every possible one becomes the largest. */
export const placeToSql = (revision: number) => (revision >= 2 ** 63 ? MAX_INT64 : String(revision));
export const revisionFromSql = (text: string) => (text === MAX_INT64 ? TOMBSTONED : Number(text));
