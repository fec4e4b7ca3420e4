import { inFakedTime } from '../../../test/support/faked-time.js';
import { moves, writer } from '../../../test/support/purse.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { InputsTooOld, OutcomeUnknown } from './command-queue.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { AppendRefused, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';

/** A purse that holds 5. */
const begun = async () => {
  const store = new SimulatedEventStore();
  const group = writer(store);
  await group.submit({ id: 'a', amount: 5 }, 5_000);
  return { store, group };
};

/** The next append is carried out without an answer, and whatever is appended after it fails. */
const answerNoAppend = (
  store: SimulatedEventStore,
  failure: (stream: string, expected: ExpectedRevision) => Error,
): void => {
  const append = store.append.bind(store);
  store.append = async (stream, events, expected) => {
    store.append = () => Promise.reject(failure(stream, expected));
    await append(stream, events, expected);
    throw new Unavailable('event_store');
  };
};

describe('commands of unknown outcome', () => {
  it(
    'tells afterwards where a command landed whose outcome was unknown',
    inFakedTime(async () => {
      const { store, group } = await begun();
      store.append = () => Promise.reject(new Unavailable('event_store'));
      const unknown = await group.submit({ id: 'b', amount: -1 }, 150).catch((error: unknown) => error);
      store.append = SimulatedEventStore.prototype.append.bind(store);
      const committedEvent = await (unknown as OutcomeUnknown).committedEvent;
      expect(committedEvent).toMatchObject({ revision: 1n, position: 2n, event: { data: { id: 'b', amount: -1 } } });
    }),
  );

  it(
    'tells that a command never landed where another writer took its place',
    inFakedTime(async () => {
      const { store, group } = await begun();
      const other = writer(store);
      store.append = () => Promise.reject(new Unavailable('event_store'));
      const unknown = await group.submit({ id: 'b', amount: -1 }, 150).catch((error: unknown) => error);
      const append = SimulatedEventStore.prototype.append.bind(store);
      store.append = (stream, events, expected) =>
        (events[0]?.data as { id: string }).id === 'c'
          ? append(stream, events, expected)
          : Promise.reject(new Unavailable('event_store'));
      await other.submit({ id: 'c', amount: -1 }, 5_000);
      store.append = append;
      expect(await (unknown as OutcomeUnknown).committedEvent).toBeUndefined();
      expect(moves(store).map(({ id }) => id)).toEqual(['a', 'c']);
    }),
  );

  it(
    'are told to have landed where the store refuses the repeat of an append that it had carried out',
    inFakedTime(async () => {
      const { store, group } = await begun();
      answerNoAppend(store, (stream) => new AppendRefused(stream, 'access denied'));
      const { state } = await group.submit({ id: 'b', amount: -1 }, 5_000);
      expect(state.balance).toBe(4);
      expect(moves(store).map(({ id }) => id)).toEqual(['a', 'b']);
    }),
  );

  it(
    'are not told to have failed where the store fails otherwise while they are in doubt',
    inFakedTime(async () => {
      const { store, group } = await begun();
      answerNoAppend(store, (stream, expected) => new WrongExpectedRevision(stream, expected, 1n));
      const read = store.read.bind(store);
      store.read = () => Promise.reject(new Error('access denied'));
      const outcome = await group.submit({ id: 'b', amount: -1 }, 200).catch((error: unknown) => error);
      expect(outcome).toBeInstanceOf(OutcomeUnknown);
      store.read = read;
      expect(await (outcome as OutcomeUnknown).committedEvent).toMatchObject({ revision: 1n });
    }),
  );
});

describe('commands that age', () => {
  const aged = () => ({ until: performance.now() - 1, isNext: false });

  it(
    'are rejected untried, and those beside them are appended',
    inFakedTime(async () => {
      const { store, group } = await begun();
      const old = group.submit({ id: 'b', amount: -1 }, 5_000, aged());
      const fresh = group.submit({ id: 'c', amount: -1 }, 5_000, { until: Infinity, isNext: false });
      await expect(old).rejects.toBeInstanceOf(InputsTooOld);
      await fresh;
      expect(moves(store).map(({ id }) => id)).toEqual(['a', 'c']);
    }),
  );

  it(
    'go first once they were made anew, and come to an end with thousands that age while they wait',
    inFakedTime(async () => {
      const store = new SimulatedEventStore();
      let now = 0;
      const group = writer(store, undefined, { clock: { now: () => new Date(now), monotonic: () => now } });
      const append = store.append.bind(store);
      // By this clock appends are all that takes time.
      store.append = (...args) => ((now += 20), append(...args));
      let renewals = 0;
      const submit = async (id: string): Promise<void> => {
        for (let isNext = false; ; isNext = true) {
          try {
            await group.submit({ id, amount: 1 }, 60_000, { until: now + 30, isNext });
            return;
          } catch (error) {
            if (!(error instanceof InputsTooOld)) throw error;
            renewals += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: 5_000 }, (_, index) => submit(`m${index}`)));
      expect(new Set(moves(store).map(({ id }) => id)).size).toBe(5_000);
      expect(renewals).toBeGreaterThan(0);
      expect(renewals).toBeLessThanOrEqual(5_000);
    }),
  );
});
