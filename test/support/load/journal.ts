/** One request that was sent, and what came of it. */
export interface Attempt {
  readonly requestId: string;
  /** When it was sent, on the test's monotonic clock. */
  readonly at: number;
  /** Milliseconds. */
  readonly took: number;
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly text: string;
  readonly replayed: boolean;
  /** The deduction's revision, as the answer says it. */
  readonly revision: bigint | undefined;
}

export type Kind = 'check' | 'ingest' | 'adjust';

/** What a caller wanted once, with every attempt at it; attempts with a key are repeated until an answer is final. */
export interface Errand {
  readonly kind: Kind;
  readonly key: string | undefined;
  readonly attempts: Attempt[];
}

/** The answer that ended the errand. */
export const finalOf = ({ attempts }: Errand): Attempt | undefined =>
  attempts.find(({ status }) => status !== undefined && status < 300);
