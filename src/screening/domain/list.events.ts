import { type DomainEvent } from '../../kernel/decider.js';
import { type ListId, type ScreeningKind } from './screening-list.js';

/**
 * A version of a list that all instances screen against from now on. Its files lie in Postgres, by their digests. Entries derive
 * from them.
 */
export type ScreeningListAccepted = DomainEvent<
  'ScreeningListAccepted.v1',
  {
    readonly list: ListId;
    readonly kind: ScreeningKind;
    /** The publisher's date and the beginning of the digest: `2026-02-27.0f3a…`. */
    readonly version: string;
    /** The version before; null of a first one. */
    readonly replaces: string | null;
    /** YYYY-MM-DD; null where the publisher's files do not say it. */
    readonly publishedOn: string | null;
    /** SHA-256 over the files' names and digests, hexadecimal. */
    readonly sha256: string;
    readonly files: readonly { readonly name: string; readonly sha256: string }[];
    readonly readerVersion: string;
    readonly entries: number;
    /** Dates that the reader did not understand. They count against no one. */
    readonly unreadDates?: number;
    /** Entries that really differ from the version before. */
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    /** Faults that an operator accepted. */
    readonly overridden: readonly string[];
    /** Why the operator took it, as the metadata name them; null where the service downloaded it by itself. */
    readonly justification: string | null;
    readonly origin: 'download' | 'import';
  }
>;

export const SCREENING_LIST_STREAM = 'screening-list';
