/** One sent request and its outcome. */
export interface Attempt {
  readonly requestId: string;
  /** Time of sending, on the test's monotonic clock. */
  readonly at: number;
  /** Milliseconds. */
  readonly took: number;
  /** Undefined where no response arrived. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly text: string;
  readonly replayed: boolean;
  /** The deduction's revision in the response. */
  readonly revision: bigint | undefined;
}

export type Kind = 'check' | 'ingest' | 'adjust' | 'issue' | 'offer';

/** One wish of a caller, with every attempt at it. Attempts with a key repeat until a response is final. */
export interface Errand {
  readonly kind: Kind;
  readonly key: string | undefined;
  readonly attempts: Attempt[];
}

export const hasSucceeded = ({ status }: Attempt): boolean => status !== undefined && status < 300;

/** The attempt whose response ended the errand. */
export const finalOf = ({ attempts }: Errand): Attempt | undefined => attempts.find(hasSucceeded);
