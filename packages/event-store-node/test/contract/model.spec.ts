import { randomUUID } from 'node:crypto';
import { END, type Position, START, streamNameFilter } from '@eventstore/db-client';
import fc from 'fast-check';
import { Model, type Answer, type Expected } from './model.js';
import { collect, event, failureOf, type Server, startServer } from './server.js';
import { soak, soakSeed } from '../../../../test/support/soak.js';

const RUNS = soak(400, 4_000);
const WAIT_BUDGET_MS = 10_000;

const stream = fc.constantFrom('one', 'two', 'three');
const id = fc.integer({ min: 0, max: 11 });
const ids = fc.array(id, { maxLength: 4 });
const expected: fc.Arbitrary<Expected> = fc.oneof(
  fc.constantFrom('any' as const, 'no_stream' as const, 'stream_exists' as const),
  fc.integer({ min: 0, max: 12 }),
);

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('append' as const), stream, ids, expected }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append again' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('soft delete' as const), stream }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tombstone' as const), stream: fc.constant('three') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('metadata' as const),
      stream,
      metadata: fc.record(
        { maxCount: fc.integer({ min: 1, max: 5 }), truncateBefore: fc.integer({ min: 0, max: 8 }) },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      stream,
      from: fc.integer({ min: 0, max: 12 }),
      direction: fc.constantFrom('forwards' as const, 'backwards' as const),
      count: fc.integer({ min: 1, max: 10 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const REFUSALS: Readonly<Record<string, 'conflict' | 'deleted' | 'missing'>> = {
  'wrong-expected-version': 'conflict',
  'stream-deleted': 'deleted',
  'stream-not-found': 'missing',
};

/** Plays one run against the server, under names and ids of its own, and against the model. */
class Run {
  private readonly model = new Model();
  private readonly prefix = `m${randomUUID().slice(0, 12)}`;
  private readonly eventIds = Array.from({ length: 12 }, () => randomUUID());
  private lastAppend: Extract<Step, { do: 'append' }> | undefined;

  constructor(private readonly server: Server) {}

  async play(steps: readonly Step[]): Promise<void> {
    const live = this.server.client.subscribeToAll({
      fromPosition: END,
      filter: streamNameFilter({ prefixes: [this.prefix] }),
    });
    const delivered: string[] = [];
    live.on('data', ({ event: seen }) => {
      if (seen?.type === 'tested') delivered.push(seen.id);
    });
    await new Promise((resolve) => live.once('caughtUp', resolve));
    const [newest] = await collect(
      this.server.client.readAll({ fromPosition: END, direction: 'backwards', maxCount: 1 }),
    );
    for (const one of steps) await this.step(one);
    const written = this.model.log.map(({ id: eventId }) => eventId);
    expect(await this.writtenBehind(newest?.event?.position ?? START)).toEqual(written);
    await this.delivery(delivered, written.length);
    expect(delivered).toEqual(written);
    await live.unsubscribe();
  }

  private async step(one: Step): Promise<void> {
    switch (one.do) {
      case 'append':
        this.lastAppend = one;
        return this.append(one);
      case 'append again':
        return this.lastAppend === undefined ? undefined : this.append(this.lastAppend);
      case 'soft delete':
        return this.same(this.model.softDelete(one.stream), this.server.client.deleteStream(this.name(one.stream)));
      case 'tombstone':
        return this.same(this.model.tombstone(one.stream), this.server.client.tombstoneStream(this.name(one.stream)));
      case 'metadata': {
        const metadata = Object.fromEntries(Object.entries(one.metadata));
        const setting = this.server.client.setStreamMetadata(this.name(one.stream), metadata);
        return this.same(this.model.setMetadata(one.stream, metadata), setting);
      }
      case 'read':
        return this.read(one);
    }
  }

  private async append({
    stream: name,
    ids: numbers,
    expected: where,
  }: Extract<Step, { do: 'append' }>): Promise<void> {
    const eventIds = numbers.map((number) => this.eventIds[number] ?? '');
    const answer = this.model.append(name, eventIds, where);
    const expectedRevision = typeof where === 'number' ? BigInt(where) : where;
    const proposed = eventIds.map((eventId) => event('tested', {}, eventId));
    const appending = this.server.client.appendToStream(this.name(name), proposed, { expectedRevision });
    if ('refused' in answer) return this.same(answer, appending);
    const { nextExpectedRevision } = await appending;
    expect(Number(nextExpectedRevision)).toBe(Math.max(answer.next, 0));
  }

  private async read({ stream: name, from, direction, count }: Extract<Step, { do: 'read' }>): Promise<void> {
    const answer = this.model.read(name, from, direction, count);
    const options = { fromRevision: BigInt(from), direction, maxCount: count };
    const reading = collect(this.server.client.readStream(this.name(name), options));
    if (!Array.isArray(answer)) return this.same(answer, reading);
    expect((await reading).map((resolved) => resolved.event?.id)).toEqual(answer);
  }

  private async same(answer: Answer, work: Promise<unknown>): Promise<void> {
    if ('next' in answer) await work;
    else {
      const failure = await failureOf(work);
      // Whatever else it failed with is told.
      expect(REFUSALS[String(failure['type'])] ?? failure).toBe(answer.refused);
    }
  }

  /** What a subscription that comes afterwards finds of this run. */
  private async writtenBehind(fromPosition: Position | typeof START): Promise<string[]> {
    const seen: string[] = [];
    const filter = streamNameFilter({ prefixes: [this.prefix], maxSearchWindow: 10_000 });
    const subscription = this.server.client.subscribeToAll({ fromPosition, filter });
    subscription.on('data', ({ event: found }) => {
      if (found?.type === 'tested') seen.push(found.id);
    });
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    await subscription.unsubscribe();
    return seen;
  }

  private async delivery(delivered: readonly string[], count: number): Promise<void> {
    const deadline = Date.now() + WAIT_BUDGET_MS;
    while (delivered.length < count && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  private name(label: string): string {
    return `${this.prefix}-${label}`;
  }
}

/**
 * A connection over which calls are cancelled by the hundred is replaced, which may cost its client a call
 * (README.md); clients of one process share the connection to one address.
 */
const HISTORIES_A_SERVER = 200;
const SERVERS = Math.ceil(RUNS / HISTORIES_A_SERVER);

describe.each(Array.from({ length: SERVERS }, (_, index) => index + 1))(
  `the event store beside a plain model of it, server %i of ${SERVERS}`,
  () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server.stop());

    it(`answers ${RUNS / SERVERS} random histories as the model does`, async () => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) =>
        new Run(server).play(steps),
      );
      const outcome = await fc.check(property, { ...soakSeed, numRuns: RUNS / SERVERS, includeErrorInReport: true });
      // With the client's own error beside the history that broke it.
      if (outcome.failed)
        throw new Error((await fc.asyncDefaultReportMessage(outcome)) ?? 'the property does not hold');
    }, 300_000);
  },
);
