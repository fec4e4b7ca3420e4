import { type Decider } from '../../kernel/decider.js';
import { invariant } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { type IngestionCommand } from './ingestion.commands.js';
import { type IngestionEvent, type IngestionFault, type RecordError } from './ingestion.events.js';

/** Back-off between tries, milliseconds. The try after the last of them is the fifth and the last. */
const BACKOFF = [1_000, 5_000, 30_000, 120_000] as const;
/** Tolerated difference between the clocks of instances, milliseconds. Shorter than any back-off. */
const CLOCK_TOLERANCE = 500;

export const FAULT_DETAILS: Readonly<Record<IngestionFault, string>> = {
  IDENTITY_DELETED: 'The identity is deleted; restore it, or ingest again after its erasure',
  KEY_DESTROYED: 'The record was erased together with its identity',
  KEY_UNAVAILABLE: 'The key that the record is encrypted under is not available',
  PROCESSING_FAILED: 'The record could not be processed',
};

export interface Ingestion {
  readonly status: 'none' | 'accepted' | 'completed' | 'failed';
  readonly ingestionId: string;
  readonly kind: 'single' | 'batch';
  readonly recordsReceived: number;
  readonly receivedAt: string;
  /** Failed tries since the acceptance or the last retry. */
  readonly attempts: number;
  /** Due time of the next try after a failed one. Null: due at once, or no further try. */
  readonly nextAttemptAt: string | null;
  readonly recordsProcessed: number;
  readonly identityId: string | null;
  readonly superseded: boolean;
  readonly endedAt: string | null;
  /** Refused by validation. */
  readonly refusals: readonly RecordError[];
  /** All errors after the end of processing, including refusals. */
  readonly errors: readonly RecordError[];
}

const initialState = (): Ingestion => ({
  status: 'none',
  ingestionId: '',
  kind: 'single',
  recordsReceived: 0,
  receivedAt: '',
  attempts: 0,
  nextAttemptAt: null,
  recordsProcessed: 0,
  identityId: null,
  superseded: false,
  endedAt: null,
  refusals: [],
  errors: [],
});

/** Whether a try may begin. */
export const isDue = ({ status, nextAttemptAt }: Ingestion, now: Date): boolean =>
  status === 'accepted' && (nextAttemptAt === null || Date.parse(nextAttemptAt) <= now.getTime() + CLOCK_TOLERANCE);

const inOrder = (errors: readonly RecordError[]): RecordError[] =>
  [...errors].sort((one, other) => one.recordIndex - other.recordIndex);

const conclude = (
  { now, recordsProcessed, recordsSuperseded, faults, identityId }: Extract<IngestionCommand, { kind: 'conclude' }>,
  ingestion: Ingestion,
): IngestionEvent[] => {
  if (ingestion.status !== 'accepted') return [];
  const { ingestionId } = ingestion;
  const errors = inOrder([...ingestion.refusals, ...faults]);
  const [fault] = faults;
  if (recordsProcessed === 0 && fault !== undefined) {
    const data = { ingestionId, failedAt: now.toISOString(), code: fault.code, recordsProcessed, errors };
    return [{ type: 'IngestionFailed.v1', data }];
  }
  const completedAt = now.toISOString();
  return [
    {
      type: 'IngestionCompleted.v1',
      data: { ingestionId, completedAt, recordsProcessed, recordsSuperseded, identityId, errors },
    },
  ];
};

const failAttempt = (
  { now, attempt, recordsProcessed, faults }: Extract<IngestionCommand, { kind: 'fail_attempt' }>,
  ingestion: Ingestion,
): IngestionEvent[] => {
  if (ingestion.status !== 'accepted' || attempt !== ingestion.attempts + 1) return [];
  const { ingestionId } = ingestion;
  const [{ code }] = faults;
  const wait = BACKOFF[attempt - 1];
  const failedAt = now.toISOString();
  if (wait === undefined) {
    const errors = inOrder([...ingestion.refusals, ...faults]);
    return [{ type: 'IngestionFailed.v1', data: { ingestionId, failedAt, code, recordsProcessed, errors } }];
  }
  const nextAttemptAt = new Date(now.getTime() + wait).toISOString();
  return [{ type: 'IngestionAttemptFailed.v1', data: { ingestionId, attempt, code, failedAt, nextAttemptAt } }];
};

const decide = (command: IngestionCommand, ingestion: Ingestion): readonly IngestionEvent[] => {
  switch (command.kind) {
    case 'accept': {
      if (ingestion.status !== 'none') return [];
      const { recordsReceived, errors } = command.accepted;
      invariant(recordsReceived > errors.length, 'an ingestion has at least one valid record');
      return [{ type: 'IngestionAccepted.v1', data: command.accepted }];
    }
    case 'conclude':
      return conclude(command, ingestion);
    case 'fail_attempt':
      return failAttempt(command, ingestion);
    case 'retry': {
      if (ingestion.status === 'none') throw refuse('not_found');
      if (ingestion.status !== 'failed') throw refuse('ingestion_not_failed');
      const data = { ingestionId: ingestion.ingestionId, retriedAt: command.now.toISOString() };
      return [{ type: 'IngestionRetried.v1', data }];
    }
  }
};

const evolve = (ingestion: Ingestion, { type, data }: IngestionEvent): Ingestion => {
  // Ignores events that a purge left behind, since a retry may have been appended at that moment.
  if (ingestion.status === 'none' && type !== 'IngestionAccepted.v1') return ingestion;
  switch (type) {
    case 'IngestionRecordsReceived.v1':
      return ingestion;
    case 'IngestionAccepted.v1':
      return {
        ...initialState(),
        status: 'accepted',
        ingestionId: data.ingestionId,
        kind: data.kind,
        recordsReceived: data.recordsReceived,
        receivedAt: data.receivedAt,
        refusals: data.errors,
        errors: data.errors,
      };
    case 'IngestionAttemptFailed.v1':
      return { ...ingestion, attempts: data.attempt, nextAttemptAt: data.nextAttemptAt };
    case 'IngestionCompleted.v1':
      return {
        ...ingestion,
        status: 'completed',
        nextAttemptAt: null,
        recordsProcessed: data.recordsProcessed,
        identityId: data.identityId,
        superseded: ingestion.kind === 'single' && data.recordsSuperseded > 0,
        endedAt: data.completedAt,
        errors: data.errors,
      };
    case 'IngestionFailed.v1':
      return {
        ...ingestion,
        status: 'failed',
        nextAttemptAt: null,
        recordsProcessed: data.recordsProcessed,
        endedAt: data.failedAt,
        errors: data.errors,
      };
    case 'IngestionRetried.v1':
      return { ...ingestion, status: 'accepted', attempts: 0, endedAt: null, errors: ingestion.refusals };
  }
};

export const ingestionDecider: Decider<Ingestion, IngestionCommand, IngestionEvent> = {
  initialState,
  decide,
  evolve,
};
