import fc from 'fast-check';
import { inFakedTime } from '../../../test/support/faked-time.js';
import { moves, writer } from '../../../test/support/purse.js';
import { type Fate, SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { isRejection } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { OutcomeUnknown } from './command-queue.js';

class Crashed extends Error {}

/** A process's own way to the store: once it has crashed, only what is on its way arrives. */
const processOn = (store: SimulatedEventStore) => {
  let crashed = false;
  const connection = new Proxy(store, {
    get: (target, name): unknown => {
      if (crashed) throw new Crashed();
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return { group: writer(connection), crash: () => (crashed = true), hasCrashed: () => crashed };
};

const someTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resume) => setImmediate(resume));
};

describe('group commit under faults', () => {
  const someFate = fc.constantFrom<Fate>('acknowledged', 'acknowledged', 'acknowledgement_lost', 'request_lost');
  const someMove = fc.record({
    amount: fc.integer({ min: -6, max: 6 }),
    writer: fc.nat({ max: 2 }),
    pause: fc.nat({ max: 3 }),
    /** Now and then so many of it at once that others meet a long tail. */
    times: fc.constantFrom(1, 1, 1, 1, 45),
    /** Some callers hear that the outcome is unknown. */
    budgetMs: fc.constantFrom(20_000, 20_000, 20_000, 60),
  });

  /** Several writers of one stream; the fates of appends and reads are drawn, then the weather clears. */
  const play = async (
    commands: readonly {
      readonly amount: number;
      readonly writer: number;
      readonly pause: number;
      readonly times: number;
      readonly budgetMs: number;
    }[],
    fates: readonly Fate[],
    crashes: readonly number[],
    recognisesRepeats: boolean,
  ): Promise<void> => {
    let drawn = 0;
    const store = new SimulatedEventStore({
      fate: () => fates[drawn++] ?? 'acknowledged',
      readFails: () => fates[drawn++ * 7] === 'request_lost',
      delay: () => drawn % 3,
      // Some are given up under way and land later, beside the same batch sent again.
      latencyMs: () => (drawn % 5 === 2 ? 12 : 0),
      budgetMs: 6,
      recognisesRepeats,
    });
    const processes = [processOn(store), processOn(store), processOn(store)];
    const outcomes = new Map<string, 'accepted' | 'refused' | 'unknown' | 'untried'>();
    const committedEvents: {
      id: string;
      committedEvent: OutcomeUnknown['committedEvent'];
      process: ReturnType<typeof processOn>;
    }[] = [];
    const waiting: Promise<void>[] = [];
    const begin = (
      id: string,
      amount: number,
      budgetMs: number,
      process: ReturnType<typeof processOn>,
    ): Promise<void> =>
      process.group.submit({ id, amount }, budgetMs).then(
        ({ state }) => {
          expect(state.balance).toBeGreaterThanOrEqual(0);
          outcomes.set(id, 'accepted');
        },
        (error: unknown) => {
          if (isRejection(error)) outcomes.set(id, 'refused');
          else if (error instanceof OutcomeUnknown) {
            outcomes.set(id, 'unknown');
            committedEvents.push({ id, committedEvent: error.committedEvent, process });
          } else if (error instanceof Unavailable) outcomes.set(id, 'untried');
          else if (!(error instanceof Crashed)) throw error;
        },
      );
    for (const [index, { amount, writer: by, pause, times, budgetMs }] of commands.entries()) {
      // The writer and all that waits for it are gone, a new one takes over.
      if (crashes.includes(index)) {
        processes[by]?.crash();
        processes[by] = processOn(store);
      }
      const process = processes[by] as ReturnType<typeof processOn>;
      for (let n = 0; n < times; n += 1) waiting.push(begin(`m${index}.${n}`, amount, budgetMs, process));
      await someTurns(pause);
    }
    await Promise.all(waiting);
    await Promise.all(
      committedEvents.filter(({ process }) => !process.hasCrashed()).map(({ committedEvent }) => committedEvent),
    );
    await someTurns(10);
    const written = moves(store);
    expect(new Set(written.map(({ id }) => id)).size).toBe(written.length);
    let balance = 0;
    for (const { amount } of written) {
      balance += amount;
      expect(balance).toBeGreaterThanOrEqual(0);
    }
    for (const [id, outcome] of outcomes) {
      const there = written.some((move) => move.id === id);
      const amount = commands[Number.parseInt(id.slice(1))]?.amount;
      if (outcome === 'accepted') expect(there).toBe(amount !== 0);
      if (outcome === 'refused' || outcome === 'untried') expect(there).toBe(false);
    }
    for (const { id, committedEvent, process } of committedEvents) {
      if (process.hasCrashed()) continue;
      const committed = await committedEvent;
      const there = moves(store).findIndex((move) => move.id === id);
      expect(committed === undefined ? -1 : Number(committed.revision)).toBe(there);
    }
    const known = await writer(store).submit({ id: 'look', amount: 0 }, 20_000);
    expect(known.state.balance).toBe(balance);
  };

  it.each([true, false])(
    'writes what it accepted exactly once and nothing it refused, never overdraws (server recognises repeats: %s)',
    (recognisesRepeats) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(someMove, { minLength: 1, maxLength: 30 }),
          fc.array(someFate, { maxLength: 12 }),
          fc.array(fc.nat({ max: 29 }), { maxLength: 2 }),
          (commands, fates, crashes) => inFakedTime(() => play(commands, fates, crashes, recognisesRepeats))(),
        ),
        { numRuns: 200 },
      ),
  );
});
