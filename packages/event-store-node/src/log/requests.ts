import { type ProposedEvent } from './record.js';

export type WriteRequest = AppendRequest | SoftDeleteRequest | TombstoneRequest;

export interface AppendRequest {
  readonly kind: 'append';
  readonly stream: string;
  /** A revision, or one of the constants of revision.ts. */
  readonly expected: number;
  readonly events: readonly ProposedEvent[];
  /** Milliseconds since 1970. Infinity for none. */
  readonly deadline: number;
}

/** Truncates the stream through its metadata. The stream accepts appends again. */
export interface SoftDeleteRequest {
  readonly kind: 'soft-delete';
  readonly stream: string;
  readonly expected: number;
}

/** Ends the stream forever. */
export interface TombstoneRequest {
  readonly kind: 'tombstone';
  readonly stream: string;
  readonly expected: number;
}

export type Outcome =
  /**
   * Durable, now or by an earlier identical request. `revision` -1 means a stream without events. A missing position means that
   * it is no longer readable.
   */
  | { readonly kind: 'written'; readonly revision: number; readonly position: number | undefined }
  | { readonly kind: 'wrong-expected-revision'; readonly actual: number }
  | { readonly kind: 'stream-deleted' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'deadline-exceeded' };
