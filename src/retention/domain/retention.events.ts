import { type DomainEvent } from '../../kernel/decider.js';

export const RETENTION_STREAM_PREFIX = 'retention-';

/** Where it is recorded what was purged of this owner's streams: a tenant's id, or `operators`. Kept for good: no personal data. */
export const retentionStream = (owner: string): string => `${RETENTION_STREAM_PREFIX}${owner}`;

/**
 * The oldest events of a stream were kept as long as they may be. Readers of the log drop what they made of them by this
 * event; the stream is truncated only after it, and scavenged later still.
 */
export type StreamPurged = DomainEvent<
  'StreamPurged.v1',
  {
    readonly stream: string;
    /** What lies below this revision goes; 0 where only rows go, and all events stay for the time being. */
    readonly firstKept: number;
    /** No event that is gone was of this time or later. ISO 8601, UTC, milliseconds. */
    readonly occurredBefore: string;
    /** Of billing records: rows of revisions below this one go ahead of their events. Absent: those below `firstKept`. */
    readonly rowsBelow?: number;
    readonly purgedAt: string;
  }
>;

/** Whatever stands in the streams of retention. */
export type RetentionEvent = StreamPurged;

/** The daily runs of the purge, one stream for the deployment: its revision decides which instance a day belongs to. */
export const PURGES_STREAM = 'purges-deployment';

/** An instance took the run of this UTC day (YYYY-MM-DD) upon itself. */
export type PurgeRunStarted = DomainEvent<'PurgeRunStarted.v1', { readonly day: string; readonly startedAt: string }>;

/** Everything that was due on this UTC day has been purged. */
export type PurgeRunCompleted = DomainEvent<
  'PurgeRunCompleted.v1',
  { readonly day: string; readonly completedAt: string }
>;

export type PurgeRunEvent = PurgeRunStarted | PurgeRunCompleted;
