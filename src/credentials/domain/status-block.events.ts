import { type DomainEvent } from '../../kernel/decider.js';

export const STATUS_LISTS_PREFIX = 'statuslists-';

/** The one stream that hands out the indexes of the status lists. */
export const STATUS_LISTS_STREAM = `${STATUS_LISTS_PREFIX}main`;

/** Entries of a list (W3C Bitstring Status List v1.0, section 3.1: at least 131,072). */
export const LIST_LENGTH = 131_072;

/** Indexes that an instance leases at once. */
export const BLOCK_LENGTH = 1_024;

export const BLOCKS_IN_LIST = LIST_LENGTH / BLOCK_LENGTH;

/** An instance alone gives out the indexes of this block: `block`, and every BLOCKS_IN_LIST-th after it. */
export type StatusBlockLeased = DomainEvent<
  'StatusBlockLeased.v1',
  { readonly list: number; readonly block: number; readonly leasedAt: string }
>;
