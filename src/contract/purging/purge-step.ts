import { DiscoveryService } from '@nestjs/core';
import { type Attempts } from '../../kernel/attempts.js';

/** A stream whose oldest part is purged, and its owner: a tenant, or `operators`. */
export interface AgeingStream {
  readonly stream: string;
  readonly owner: string;
}

/** The part of a stream to purge, as in StreamPurged. */
export interface Piece {
  /** Revision of the first event that stays. */
  readonly firstKept: number;
  readonly occurredBefore: Date;
  readonly rowsBelow?: number;
}

/** `firstKept` of a piece that drops only rows. */
export const ALL_KEPT = 0;

/**
 * Most rows that one piece drops, of each kind. One event or one millisecond may exceed it. The limit bounds the transactions
 * of the log's readers.
 */
export const ROWS_A_PIECE = 5_000;

/** One day's purge, as a step sees it. */
export interface PurgeRound {
  /** What makes a failure of one account leave the others alone. */
  readonly attempts: Attempts;
  /** Events of this stream that are older have passed their limit. */
  keptSince(stream: string): Date;
  /** Appends the event on which every reader drops its rows, then truncates. May be repeated. Throws Unavailable. */
  purge(ageing: AgeingStream, piece: Piece): Promise<void>;
}

/** What a slice removes of its own from the log, past its limit. */
export interface Purges {
  /** May be repeated, and finds again what a crash left undone. Throws Unavailable. */
  purge(round: PurgeRound): Promise<void>;
}

export interface PurgeStepOptions {
  readonly name: string;
  /** The categories whose streams it purges. */
  readonly categories: readonly string[];
  /** Steps that it needs to come before it. */
  readonly after?: readonly string[];
}

/** Marks a provider that implements Purges. A failure of one step does not stop the others. */
export const PurgeStep = DiscoveryService.createDecorator<PurgeStepOptions>();
