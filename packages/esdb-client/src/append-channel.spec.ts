import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/processes.js';
import { Deframer } from '@kyc/esdb-wire/deframer';
import { type AppendCall, type AppendCallEvents, AppendChannel, type AppendTransport } from './append-channel.js';
import { type AppendReply } from './append-codec.js';
import { type NewEvent, StoreUnavailable } from './events.js';

const event: NewEvent = {
  id: randomUUID(),
  type: 'Happened.v1',
  data: {},
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
};

/** A budget, milliseconds, that no test waits for. */
const LONG_BUDGET_MS = 60_000;

/** Keeps this thread from everything else for this long (milliseconds), without taking processor time from other tests. */
const blockFor = (time: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
};

/** A store's end of a call, steered by the test. */
class FakeCall implements AppendCall {
  /** One element a write. */
  readonly writes: Buffer[][] = [];
  readonly probes: number[] = [];
  cancelled = false;
  hasRoom = true;

  constructor(readonly events: AppendCallEvents) {}

  get written(): Buffer[] {
    return this.writes.flat();
  }

  write(frames: Buffer): boolean {
    const messages: Buffer[] = [];
    new Deframer((message) => messages.push(message)).push(frames);
    this.writes.push(messages);
    return this.hasRoom;
  }

  probe(timeoutMs: number): void {
    this.probes.push(timeoutMs);
  }

  cancel(): void {
    this.cancelled = true;
  }

  answer(reply: AppendReply): void {
    this.events.replied(reply);
  }

  breakOff(): void {
    this.events.lost(new Error('broken'));
  }
}

const written = (correlation: number): AppendReply => ({
  correlation,
  outcome: { kind: 'written', revision: BigInt(correlation), position: 9n },
});

const until = (condition: () => boolean): Promise<boolean> => eventually('the condition', condition);

const transportOver = (calls: FakeCall[]): AppendTransport => ({
  open: (events) => {
    const call = new FakeCall(events);
    calls.push(call);
    return Promise.resolve(call);
  },
  disconnect: () => undefined,
});

const channelOver = (calls: FakeCall[], stallMs?: number): AppendChannel =>
  new AppendChannel(transportOver(calls), stallMs === undefined ? {} : { stallMs });

describe('the append channel', () => {
  it('has many appends in flight on one call and answers each with its own outcome', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const appends = ['a-1', 'a-2', 'a-3'].map((stream) => channel.append(stream, [event], 'any', LONG_BUDGET_MS));
    await until(() => calls[0]?.written.length === 3);
    for (const correlation of [3, 1, 2]) calls[0]?.answer(written(correlation));
    expect((await Promise.all(appends)).map((outcome) => outcome.kind === 'written' && outcome.revision)).toEqual([
      1n,
      2n,
      3n,
    ]);
    expect(calls).toHaveLength(1);
  });

  it('writes what a broken call left unanswered again, byte for byte', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 4n, LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.breakOff();
    await until(() => calls[1]?.written.length === 1);
    expect(calls[1]?.written).toEqual(calls[0]?.written);
    calls[1]?.answer(written(1));
    await expect(append).resolves.toMatchObject({ kind: 'written' });
  });

  it('gives a silent call up for a new one', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 60);
    const append = channel.append('a-1', [event], 4n, LONG_BUDGET_MS);
    await until(() => calls.length === 2);
    expect(calls[0]?.cancelled).toBe(true);
    await until(() => calls[1]?.written.length === 1);
    calls[1]?.answer(written(1));
    await append;
  });

  it('does not call a store silent that answers other appends', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 100);
    const slow = channel.append('a-1', [event], 4n, LONG_BUDGET_MS);
    for (let correlation = 2; correlation < 10; correlation += 1) {
      const quick = channel.append('a-2', [event], 'any', LONG_BUDGET_MS);
      await new Promise((resolve) => setTimeout(resolve, 40));
      calls[0]?.answer(written(correlation));
      await quick;
    }
    calls[0]?.answer(written(1));
    await slow;
    expect(calls).toHaveLength(1);
  });

  it('asks again where the store could not say', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 4n, LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.answer({ correlation: 1, outcome: { kind: 'unknown', reason: 'Timeout' } });
    await until(() => calls[0]?.written.length === 2);
    expect(calls[0]?.written[1]).toEqual(calls[0]?.written[0]);
    calls[0]?.answer({ correlation: 1, outcome: { kind: 'wrong_revision', actual: 7n } });
    await expect(append).resolves.toEqual({ kind: 'wrong_revision', actual: 7n });
  });

  it('never takes a refusal for final where an earlier copy may have been taken', async () => {
    const refused = { kind: 'refused', reason: 'AccessDenied' } as const;
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const first = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.answer({ correlation: 1, outcome: refused });
    await expect(first).resolves.toEqual(refused);
    const second = channel.append('a-1', [event], 'any', 400);
    await until(() => calls[0]?.written.length === 2);
    calls[0]?.breakOff();
    await until(() => calls[1]?.written.length === 1);
    calls[1]?.answer({ correlation: 2, outcome: refused });
    await expect(second).rejects.toThrow(StoreUnavailable);
  });

  it('asks a store that is too busy less and less often', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 4n, 1_000);
    await until(() => calls[0]?.written.length === 1);
    const call = calls[0] as FakeCall;
    const write = call.write.bind(call);
    const busy = (): void => call.answer({ correlation: 1, outcome: { kind: 'unknown', reason: 'Server Is Busy' } });
    call.write = (frames) => {
      setImmediate(busy);
      return write(frames);
    };
    busy();
    await expect(append).rejects.toThrow(StoreUnavailable);
    expect(call.written.length).toBeGreaterThan(2);
    expect(call.written.length).toBeLessThan(10);
  });

  it('says StoreUnavailable when the budget is used up, and ignores what comes later', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 'any', 100);
    const longAppend = channel.append('a-2', [event], 'any', 60_000);
    await expect(append).rejects.toThrow(StoreUnavailable);
    calls[0]?.answer(written(1));
    calls[0]?.answer(written(2));
    await expect(longAppend).resolves.toMatchObject({ kind: 'written' });
  });

  it('keeps trying to connect within the budget', async () => {
    const calls: FakeCall[] = [];
    const transport = transportOver(calls);
    let attempts = 0;
    const channel = new AppendChannel({
      ...transport,
      open: (events) => {
        attempts += 1;
        return attempts < 3 ? Promise.reject(new Error('refused')) : transport.open(events);
      },
    });
    const append = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.answer(written(1));
    await append;
    expect(attempts).toBe(3);
  });

  it('rejects what is in flight when it is closed', async () => {
    const channel = channelOver([]);
    const append = channel.append('a-1', [event], 'any', 5_000);
    const closed = expect(append).rejects.toThrow(StoreUnavailable);
    channel.close();
    await closed;
  });

  it('writes the appends of one turn of the event loop at once, whosever they are', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const first = channel.append('a-0', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.writes.length === 1);
    const others = Array.from({ length: 64 }, (_, tenant) =>
      channel.append(`a-${tenant}`, [event], 'any', LONG_BUDGET_MS),
    );
    await until(() => calls[0]?.written.length === 65);
    expect(calls[0]?.writes.map(({ length }) => length)).toEqual([1, 64]);
    for (let correlation = 1; correlation <= 65; correlation += 1) calls[0]?.answer(written(correlation));
    await Promise.all([first, ...others]);
  });

  /** More appends under way than are each written at once. */
  const manyAppends = (channel: AppendChannel): Promise<unknown>[] =>
    Array.from({ length: 9 }, (_, index) => channel.append(`a-${index}`, [event], 'any', LONG_BUDGET_MS));

  it('lets appends of several turns, where many are under way, wait for the answer to the write before, and share the next', async () => {
    const calls: FakeCall[] = [];
    const channel = new AppendChannel(transportOver(calls), { sharedWithinMs: LONG_BUDGET_MS });
    const appends = manyAppends(channel);
    await until(() => calls[0]?.writes.length === 1);
    for (const stream of ['b-1', 'b-2']) {
      appends.push(channel.append(stream, [event], 'any', LONG_BUDGET_MS));
      await new Promise(setImmediate);
    }
    expect(calls[0]?.writes).toHaveLength(1);
    calls[0]?.answer(written(1));
    await until(() => calls[0]?.writes.length === 2);
    expect(calls[0]?.writes.map(({ length }) => length)).toEqual([9, 2]);
    for (let correlation = 2; correlation <= 11; correlation += 1) calls[0]?.answer(written(correlation));
    await Promise.all(appends);
  });

  it('writes each at once where few are under way', async () => {
    const calls: FakeCall[] = [];
    const channel = new AppendChannel(transportOver(calls), { sharedWithinMs: LONG_BUDGET_MS });
    const first = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.writes.length === 1);
    const second = channel.append('a-2', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.writes.length === 2);
    for (const correlation of [1, 2]) calls[0]?.answer(written(correlation));
    await Promise.all([first, second]);
  });

  it('writes without an answer too, after a moment', async () => {
    const calls: FakeCall[] = [];
    const channel = new AppendChannel(transportOver(calls), { sharedWithinMs: 50 });
    const appends = manyAppends(channel);
    await until(() => calls[0]?.writes.length === 1);
    const from = performance.now();
    appends.push(channel.append('b-1', [event], 'any', LONG_BUDGET_MS));
    await until(() => calls[0]?.writes.length === 2);
    // The moment began with the first write, a few milliseconds before.
    expect(performance.now() - from).toBeGreaterThan(20);
    for (let correlation = 1; correlation <= 10; correlation += 1) calls[0]?.answer(written(correlation));
    await Promise.all(appends);
  });

  it('holds back what a congested call has no room for, and then writes none that nobody waits for', async () => {
    const calls: FakeCall[] = [];
    const call = (): FakeCall => calls[0] as FakeCall;
    const transport = transportOver(calls);
    const open: AppendTransport['open'] = async (events) => {
      const opened = await transport.open(events);
      call().hasRoom = false;
      return opened;
    };
    const channel = new AppendChannel({ ...transport, open });
    const first = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    await expect(channel.append('a-2', [event], 'any', 50)).rejects.toThrow(StoreUnavailable);
    const third = channel.append('a-3', [event], 'any', LONG_BUDGET_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(call().written).toHaveLength(1);
    call().events.drained();
    expect(call().written).toHaveLength(2);
    call().answer(written(1));
    call().answer(written(3));
    await Promise.all([first, third]);
  });

  it('lets a retired call answer for its own, and sends what comes later over a new one', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const early = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.events.retired();
    const late = channel.append('a-2', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[1]?.written.length === 1);
    expect(calls[0]?.cancelled).toBe(false);
    calls[0]?.answer(written(1));
    calls[1]?.answer(written(2));
    await Promise.all([early, late]);
    expect(calls.map(({ writes }) => writes.length)).toEqual([1, 1]);
    expect(calls.map(({ cancelled }) => cancelled)).toEqual([true, false]);
  });

  it('writes what a retired call did not answer again on the next', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.events.retired();
    calls[0]?.breakOff();
    await until(() => calls[1]?.written.length === 1);
    expect(calls[1]?.written).toEqual(calls[0]?.written);
    calls[1]?.answer(written(1));
    await append;
  });

  it('asks after a silent call whether its connection lives before it gives it up', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 2_000);
    const append = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls.length === 2);
    expect(calls[0]?.probes).toContain(1_000);
    await until(() => calls[1]?.written.length === 1);
    calls[1]?.answer(written(1));
    await append;
  });

  it('asks first also where this process was too busy to look in between', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 400);
    const appends = ['a-1', 'a-2'].map((stream) => channel.append(stream, [event], 'any', LONG_BUDGET_MS));
    await until(() => calls[0]?.written.length === 2);
    // The first look, after 200 ms, finds an answer that is younger than that; the next one comes too late.
    await new Promise((resume) => setTimeout(resume, 120));
    calls[0]?.answer(written(1));
    await new Promise((resume) => setTimeout(resume, 120));
    blockFor(500);
    await until(() => calls[1]?.written.length === 1);
    expect(calls[0]?.probes).not.toEqual([]);
    calls[1]?.answer(written(2));
    await Promise.all(appends);
  });

  it('takes an answer that came in time, though this process was too busy to read it', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 400);
    const append = channel.append('a-1', [event], 'any', 800);
    await until(() => calls[0]?.written.length === 1);
    // What is due while this callback runs comes before sockets are read, and they before the callback within it.
    setImmediate(() => {
      setImmediate(() => calls[0]?.answer(written(1)));
      blockFor(900);
    });
    await expect(append).resolves.toMatchObject({ kind: 'written' });
    expect(calls).toHaveLength(1);
  });

  it('refuses what is larger than any store takes, so that it does not end the call of all others', async () => {
    const calls: FakeCall[] = [];
    const large = { ...event, data: { text: 'x'.repeat(17_000_000) } };
    await expect(channelOver(calls).append('a-1', [large], 'any', LONG_BUDGET_MS)).resolves.toMatchObject({
      kind: 'refused',
    });
    expect(calls).toHaveLength(0);
  });

  it('leaves its connection when it is reset, and writes what it had there again', async () => {
    const calls: FakeCall[] = [];
    let disconnections = 0;
    const channel = new AppendChannel({ ...transportOver(calls), disconnect: () => (disconnections += 1) });
    const append = channel.append('a-1', [event], 'any', LONG_BUDGET_MS);
    await until(() => calls[0]?.written.length === 1);
    channel.reset();
    await until(() => calls[1]?.written.length === 1);
    expect([disconnections, calls[0]?.cancelled]).toEqual([1, true]);
    calls[1]?.answer(written(1));
    await append;
  });
});
