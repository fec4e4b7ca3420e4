import { type JobQueue } from '../../kernel/jobs.js';
import { type RequestLog } from '../../kernel/request-log.js';
import { type Projection } from '../../log/project/projection.js';
import { type PartState } from '../../observability/health.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { type Breaches } from '../breaches.js';

export interface PartSources {
  readonly database: Queryable;
  readonly store: EventStore;
  readonly queue: JobQueue;
  readonly requests: RequestLog;
  readonly breaches: Pick<Breaches, 'hoursLeft'>;
  readonly projections: readonly Projection[];
  readonly now: Date;
}

export interface Reading {
  readonly status: PartState;
  readonly sentence: string;
  /** Null where there is nothing to measure. */
  readonly value: number | null;
}

/** What operators watch. Its texts name no person and no account. */
export interface Part {
  readonly name: string;
  /** Of the value. */
  readonly unit: string;
  /** What suffers with it. */
  readonly depends: readonly string[];
  /** What to do while it is not up. */
  readonly action: string;
  /** Throws where it cannot be read, for example Unavailable. */
  readonly read: (sources: PartSources) => Promise<Reading>;
}

export const many = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
