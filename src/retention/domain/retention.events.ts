import { type DomainEvent } from '../../kernel/decider.js';

export const RETENTION_STREAM_PREFIX = 'retention-';

/**
 * The stream that records the purges of this owner's streams. The owner is a tenant's id or `operators`. It is kept
 * forever, since it holds no personal data.
 */
export const retentionStream = (owner: string): string => `${RETENTION_STREAM_PREFIX}${owner}`;

/**
 * The oldest events of a stream have reached their retention limit. On this event readers of the log drop the rows of
 * those events. The stream is truncated only after it, and scavenged later.
 */
export type StreamPurged = DomainEvent<
  'StreamPurged.v1',
  {
    readonly stream: string;
    /** Events below this revision are removed. 0 if only rows are dropped and all events stay for now. */
    readonly firstKept: number;
    /** Every removed event is from before this time. ISO 8601, UTC, milliseconds. */
    readonly occurredBefore: string;
    /**
     * For billing records: rows of revisions below this one are dropped before their events. Absent: rows below
     * `firstKept`.
     */
    readonly rowsBelow?: number;
    readonly purgedAt: string;
  }
>;

/** Any event in the retention streams. */
export type RetentionEvent = StreamPurged;

/** The stream of the daily purge runs, one for the deployment. Its revision decides which instance runs a day's purge. */
export const PURGES_STREAM = 'purges-deployment';

/** An instance took over the run of this UTC day (YYYY-MM-DD). */
export type PurgeRunStarted = DomainEvent<'PurgeRunStarted.v1', { readonly day: string; readonly startedAt: string }>;

/** All data due on this UTC day is purged. */
export type PurgeRunCompleted = DomainEvent<
  'PurgeRunCompleted.v1',
  { readonly day: string; readonly completedAt: string }
>;

export type PurgeRunEvent = PurgeRunStarted | PurgeRunCompleted;
