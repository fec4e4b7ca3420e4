import { type DomainEvent } from '../../kernel/decider.js';

export const TRANSPARENCY_STREAM = 'transparency-deployment';

/** The leaves of events that are purged next, so that the tree can be made again without those events. */
export type LeavesRetired = DomainEvent<
  'LeavesRetired.v1',
  {
    /** The tree that the indexes are of. */
    readonly epoch: number;
    readonly stream: string;
    /** At most MAX_RETIRED. `hash` is a SHA-256, base64. */
    readonly leaves: readonly { readonly index: number; readonly revision: number; readonly hash: string }[];
  }
>;

/** Leaves that one event retires: about 450 KiB. */
export const MAX_RETIRED = 5_000;

export const CHECKPOINTS_STREAM = 'transparency-checkpoints';

/** The day's signed checkpoint, announced to all who subscribe to it, so that copies exist outside. One a UTC day. */
export type CheckpointPublished = DomainEvent<
  'CheckpointPublished.v1',
  {
    /** YYYY-MM-DD. */
    readonly day: string;
    readonly origin: string;
    readonly size: number;
    /** The signed note. */
    readonly checkpoint: string;
  }
>;
