import { eventsOf, givenFor, stateAfter } from '../../../test/support/given.js';
import { type FailAttempt, type IngestionCommand, type RecordFault } from './ingestion.commands.js';
import { type IngestionEvent } from './ingestion.events.js';
import { FAULT_DETAILS, ingestionDecider, isDue, type Ingestion } from './ingestion.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ID = '11111111-1111-4111-8111-111111111111';
const fault = (recordIndex: number, code: RecordFault['code'] = 'PROCESSING_FAILED'): RecordFault => ({
  recordIndex,
  code,
  detail: FAULT_DETAILS[code],
});
const REFUSED = { recordIndex: 1, code: 'INVALID_EMAIL', detail: 'email: A valid e-mail address' };

const accept = (kind: 'single' | 'batch' = 'single'): IngestionCommand => ({
  kind: 'accept',
  accepted: {
    ingestionId: ID,
    kind,
    receivedAt: NOW.toISOString(),
    recordsReceived: kind === 'single' ? 1 : 3,
    records: [],
    errors: kind === 'single' ? [] : [REFUSED],
  },
});
const conclude = (recordsProcessed: number, faults: RecordFault[] = [], recordsSuperseded = 0): IngestionCommand => ({
  kind: 'conclude',
  now: NOW,
  identityId: 'idn_1',
  recordsProcessed,
  recordsSuperseded,
  faults,
});
const failAttempt = (attempt: number): FailAttempt => ({
  kind: 'fail_attempt',
  now: NOW,
  attempt,
  recordsProcessed: 0,
  faults: [fault(0)],
});
const retry = (): IngestionCommand => ({ kind: 'retry', now: NOW });

const lived = (...history: IngestionCommand[]): IngestionEvent[] => eventsOf(ingestionDecider, history);
const after = (...history: IngestionCommand[]): Ingestion => stateAfter(ingestionDecider, lived(...history));
const given = (...history: IngestionCommand[]) => givenFor(ingestionDecider)(...lived(...history));

const FIVE_TRIES = [1, 2, 3, 4, 5].map(failAttempt);

describe('an ingestion', () => {
  it('is accepted once', () => {
    given().when(accept()).thenTypes('IngestionAccepted.v1');
    given(accept()).when(accept()).thenNothing();
  });

  it('completes with what became of its records', () => {
    expect(after(accept(), conclude(1))).toMatchObject({
      status: 'completed',
      recordsProcessed: 1,
      identityId: 'idn_1',
    });
    expect(after(accept(), conclude(1, [], 1))).toMatchObject({ status: 'completed', superseded: true });
  });

  it('fails for good where no record could be processed', () =>
    expect(after(accept(), conclude(0, [fault(0, 'IDENTITY_DELETED')]))).toMatchObject({
      status: 'failed',
      errors: [{ recordIndex: 0, code: 'IDENTITY_DELETED' }],
    }));

  it('completes as a batch where some records could, telling of the others in the order of the request', () => {
    const batch = after(accept('batch'), conclude(1, [fault(0, 'IDENTITY_DELETED')]));
    expect(batch).toMatchObject({ status: 'completed', recordsProcessed: 1 });
    expect(batch.errors.map(({ recordIndex, code }) => [recordIndex, code])).toEqual([
      [0, 'IDENTITY_DELETED'],
      [1, 'INVALID_EMAIL'],
    ]);
  });

  it('is tried five times, each later than the one before, and then fails', () => {
    const waits = FIVE_TRIES.slice(0, 4).map((_, tries) => {
      const [event] = given(accept(), ...FIVE_TRIES.slice(0, tries))
        .when(failAttempt(tries + 1))
        .outcome();
      if (event?.type !== 'IngestionAttemptFailed.v1') throw new Error('expected a further try');
      return Date.parse(event.data.nextAttemptAt) - NOW.getTime();
    });
    expect(waits).toEqual([1_000, 5_000, 30_000, 120_000]);
    expect(after(accept(), ...FIVE_TRIES)).toMatchObject({ status: 'failed', errors: [{ code: 'PROCESSING_FAILED' }] });
  });

  it('counts a try once, however many judged it', () => {
    given(accept(), failAttempt(1)).when(failAttempt(1)).thenNothing();
    given(accept()).when(failAttempt(2)).thenNothing();
    given(accept(), failAttempt(1)).when(failAttempt(2)).thenTypes('IngestionAttemptFailed.v1');
    given(accept(), ...FIVE_TRIES, retry())
      .when(failAttempt(5))
      .thenNothing();
  });

  it('is due at once when accepted or retried, and after a failed try once its wait is over', () => {
    const dueIn = (milliseconds: number, ...history: IngestionCommand[]): boolean =>
      isDue(after(...history), new Date(NOW.getTime() + milliseconds));
    expect([dueIn(0), dueIn(0, accept()), dueIn(0, accept(), ...FIVE_TRIES, retry())]).toEqual([false, true, true]);
    expect([0, 400, 1_000].map((wait) => dueIn(wait, accept(), failAttempt(1)))).toEqual([false, false, true]);
    expect([conclude(1), conclude(0, [fault(0)])].map((end) => dueIn(0, accept(), end))).toEqual([false, false]);
  });

  it('is accepted anew by a retry, with five tries more', () => {
    const retried = after(accept(), ...FIVE_TRIES, retry());
    expect(retried).toMatchObject({ status: 'accepted', attempts: 0, errors: [] });
    expect(after(accept(), ...FIVE_TRIES, retry(), ...FIVE_TRIES.slice(0, 4))).toMatchObject({ status: 'accepted' });
  });

  it('is retried only once it has failed', () => {
    given().when(retry()).thenRejected('not_found');
    given(accept()).when(retry()).thenRejected('ingestion_not_failed');
    given(accept(), conclude(1)).when(retry()).thenRejected('ingestion_not_failed');
  });

  it('is not there where its purge has left nothing but a retry of that very moment', () => {
    const data = { ingestionId: ID, retriedAt: NOW.toISOString() };
    const left = ingestionDecider.evolve(ingestionDecider.initialState(), { type: 'IngestionRetried.v1', data });
    expect(left).toEqual(ingestionDecider.initialState());
  });

  it('fails after five tries that left a record of a batch, so that a retry can bring it', () => {
    const oneLeft = FIVE_TRIES.map((failed) => ({ ...failed, recordsProcessed: 1, faults: [fault(2)] as const }));
    const failed = after(accept('batch'), ...oneLeft);
    expect(failed).toMatchObject({ status: 'failed', recordsProcessed: 1 });
    expect(failed.errors.map(({ recordIndex }) => recordIndex)).toEqual([1, 2]);
    expect(after(accept('batch'), ...oneLeft, retry(), conclude(2))).toMatchObject({
      status: 'completed',
      recordsProcessed: 2,
    });
  });

  it('changes no more once it has ended', () => {
    for (const end of [conclude(1), conclude(0, [fault(0)])]) {
      given(accept(), end).when(conclude(1)).thenNothing();
      given(accept(), end).when(failAttempt(1)).thenNothing();
    }
  });
});
