import { jest } from '@jest/globals';
import { type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type Delivery, type EventStore } from '../../platform/eventstore/event-store.js';
import { Follower, type FollowerLog, type Following, Superseded } from './follower.js';
import { type Batch } from './page-buffer.js';

const eventAt = (position: bigint): StoredEvent => ({
  id: newUuid(),
  type: 'Happened.v1',
  data: {},
  metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 },
  stream: 's-1',
  revision: position,
  position,
  created: new Date(0),
});

/** A log whose subscription ends where it is told to, and may not say where the log ends. */
class FakeLog {
  readonly events: StoredEvent[] = [];
  end: bigint | undefined;
  subscriptions = 0;
  fault: Error | undefined;
  private wake: () => void = () => undefined;

  write(...positions: bigint[]): void {
    this.events.push(...positions.map(eventAt));
    this.end = positions.at(-1) ?? this.end;
    this.wake();
  }

  break(fault: Error): void {
    this.fault = fault;
    this.wake();
  }

  readonly store = { head: () => Promise.resolve(this.end) } as EventStore;

  async *pages(after: bigint | undefined, signal: AbortSignal): AsyncGenerator<readonly Delivery[]> {
    this.subscriptions += 1;
    signal.addEventListener('abort', () => this.wake());
    let given = this.events.filter(({ position }) => position <= (after ?? -1n)).length;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (this.fault !== undefined) throw this.fault;
      for (; given < this.events.length; given += 1)
        yield [{ kind: 'event', event: this.events[given] ?? eventAt(0n) }];
      if (isFirst) yield [{ kind: 'caught_up' }];
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const following = (log: FakeLog, changes: Partial<Following> = {}) => {
  const taken: bigint[] = [];
  const warnings: object[] = [];
  const note = (fields: object): void => void warnings.push(fields);
  const work: Following = {
    name: 'work',
    reachesEnd: true,
    pages: (_, after, signal) => log.pages(after, signal),
    begin: () => Promise.resolve(taken.at(-1)),
    take: ({ events }: Batch) => Promise.resolve(void taken.push(...events.map(({ position }) => position))),
    ...changes,
  };
  const logger: FollowerLog = { info: note, warn: note, error: note };
  return { follower: new Follower(work, { store: log.store, log: logger }), taken, warnings };
};

describe('a follower', () => {
  it('takes every event once and in order, says where it is, and ends when it is stopped', async () => {
    const log = new FakeLog();
    log.write(1n, 2n);
    const ended: string[] = [];
    const { follower, taken } = following(log, { end: () => Promise.resolve(void ended.push('end')) });
    follower.start();
    await until(() => follower.state === 'live');
    log.write(3n);
    await until(() => follower.position === 3n);
    expect(taken).toEqual([1n, 2n, 3n]);
    await follower.stop();
    expect([follower.state, ended]).toEqual(['stopped', ['end']]);
  });

  it('begins again where the work says, after a store was away, and says so once', async () => {
    const log = new FakeLog();
    const { follower, taken, warnings } = following(log);
    follower.start();
    log.write(1n);
    await until(() => follower.position === 1n);
    log.break(new Unavailable('event_store'));
    await until(() => follower.state === 'waiting' && log.subscriptions > 2);
    log.fault = undefined;
    log.write(2n);
    await until(() => follower.state === 'live' && follower.position === 2n);
    expect([taken, warnings.length]).toEqual([[1n, 2n], 1]);
    await follower.stop();
  });

  it('keeps no listener of a round that failed', async () => {
    let rounds = 0;
    const begin = () => {
      rounds += 1;
      return Promise.reject(new Unavailable('postgres'));
    };
    const added = jest.spyOn(EventTarget.prototype, 'addEventListener');
    const removed = jest.spyOn(EventTarget.prototype, 'removeEventListener');
    const { follower } = following(new FakeLog(), { begin });
    follower.start();
    await until(() => rounds === 5);
    expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(3);
    jest.restoreAllMocks();
    await follower.stop();
  });

  it('reads no further ahead of slow work than a few batches', async () => {
    const log = new FakeLog();
    log.write(...Array.from({ length: 100 }, (_, index) => BigInt(index + 1)));
    const taking: (() => void)[] = [];
    const { follower } = following(log, {
      cut: { maxWeight: 5 },
      take: () => new Promise<void>((resolve) => taking.push(resolve)),
    });
    follower.start();
    await until(() => taking.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(follower.waiting).toBeLessThanOrEqual(10);
    const stopped = follower.stop();
    taking.forEach((take) => take());
    await stopped;
  });

  it('reads the log anew where its end lies further than the subscription said', async () => {
    const log = new FakeLog();
    log.write(1n);
    const { follower } = following(log);
    follower.start();
    await until(() => follower.position === 1n);
    log.end = 7n;
    await until(() => follower.position === 7n);
    expect(log.subscriptions).toBe(2);
    await follower.stop();
  });

  it('never goes back, where events came between its look at the end and the subscription', async () => {
    const log = new FakeLog();
    log.write(1n);
    const { follower, taken } = following(log, {
      begin: () => {
        log.write(2n, 3n);
        return Promise.resolve(undefined);
      },
      cut: { maxWeight: 3 },
    });
    follower.start();
    await until(() => follower.state === 'live');
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    expect([taken, follower.position, log.subscriptions]).toEqual([[1n, 2n, 3n], 3n, 1]);
    await follower.stop();
  });

  it('ends what a fault left under way before it begins again', async () => {
    const log = new FakeLog();
    const signals: AbortSignal[] = [];
    const { follower } = following(log, {
      begin: (_, signal) => {
        signals.push(signal);
        return Promise.resolve(undefined);
      },
      end: () => Promise.resolve(expect(signals.at(-1)?.aborted).toBe(true)),
    });
    follower.start();
    await until(() => follower.state === 'live');
    log.break(new Unavailable('event_store'));
    await until(() => signals.length >= 2);
    log.fault = undefined;
    await until(() => follower.state === 'live');
    expect(signals.slice(0, -1).every(({ aborted }) => aborted)).toBe(true);
    expect(signals.at(-1)?.aborted).toBe(false);
    await follower.stop();
  });

  it('is not live from a restart on until it is level again', async () => {
    const log = new FakeLog();
    log.write(1n);
    const { follower, taken } = following(log);
    follower.start();
    await until(() => follower.state === 'live');
    follower.restart();
    expect(follower.state).toBe('catching_up');
    await until(() => follower.state === 'live');
    expect([taken, log.subscriptions]).toEqual([[1n], 2]);
    await follower.stop();
  });

  it('rests where a newer version follows', async () => {
    const log = new FakeLog();
    const { follower } = following(log, { begin: () => Promise.reject(new Superseded('version 2 runs')) });
    follower.start();
    await until(() => follower.state === 'superseded');
    expect(log.subscriptions).toBe(0);
    await follower.stop();
  });
});
