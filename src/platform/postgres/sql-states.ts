import pg from 'pg';

/** Classes of a server that shuts down or cannot serve. They do not mean that a statement is wrong. */
export const CANNOT_SERVE = /^(08|57P0|53)/;
/** Classes of faults outside the statement: connection, shutdown, resources, serialisation, deadlock and locks. */
const PASSING = /^(08|53|57|58|40|55P03)/;

const hasState = (error: unknown, states: RegExp): boolean =>
  error instanceof pg.DatabaseError && states.test(error.code ?? '');

/** The same statement may succeed later. */
export const isPassing = (error: unknown): boolean => hasState(error, PASSING);

/** Postgres refused the statement itself: it fails again. */
export const isLasting = (error: unknown): boolean => error instanceof pg.DatabaseError && !isPassing(error);

/** A table or a schema is missing. */
export const isTableMissing = (error: unknown): boolean => hasState(error, /^(42P01|3F000)$/);

/** A table, a schema or a column is missing. */
export const isMissing = (error: unknown): boolean => isTableMissing(error) || hasState(error, /^42703$/);

/** The row that the statement refers to went as it ran. */
export const isReferenceGone = (error: unknown): boolean => hasState(error, /^23503$/);
