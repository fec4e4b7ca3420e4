import { type NewEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type AppendCall, AppendChannel } from './append-channel.js';
import { type AppendReply } from './append-codec.js';

const event: NewEvent = {
  id: newUuid(),
  type: 'Happened.v1',
  data: {},
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
};

/** A store's end of a call, steered by the test. */
class FakeCall implements AppendCall {
  readonly written: Buffer[] = [];
  cancelled = false;
  private readonly listeners = new Map<string, (argument: never) => void>();

  on(name: string, listener: (argument: never) => void): this {
    this.listeners.set(name, listener);
    return this;
  }

  write(message: Buffer): boolean {
    this.written.push(message);
    return true;
  }

  cancel(): void {
    this.cancelled = true;
  }

  answer(reply: AppendReply): void {
    (this.listeners.get('data') as (reply: AppendReply) => void)(reply);
  }

  breakOff(): void {
    (this.listeners.get('error') as (error: Error) => void)(new Error('broken'));
  }
}

const written = (correlation: number): AppendReply => ({
  correlation,
  outcome: { kind: 'written', revision: BigInt(correlation), position: 9n },
});

const until = async (condition: () => boolean): Promise<void> => {
  const limit = Date.now() + 2_000;
  while (!condition() && Date.now() < limit) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
};

const channelOver = (calls: FakeCall[], stallMs?: number): AppendChannel =>
  new AppendChannel(
    () => {
      const call = new FakeCall();
      calls.push(call);
      return Promise.resolve(call);
    },
    stallMs === undefined ? {} : { stallMs },
  );

describe('the append channel', () => {
  it('has many appends in flight on one call and answers each with its own outcome', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const appends = ['a-1', 'a-2', 'a-3'].map((stream) => channel.append(stream, [event], 'any', 1_000));
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
    const append = channel.append('a-1', [event], 4n, 1_000);
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
    const append = channel.append('a-1', [event], 4n, 2_000);
    await until(() => calls.length === 2);
    expect(calls[0]?.cancelled).toBe(true);
    await until(() => calls[1]?.written.length === 1);
    calls[1]?.answer(written(1));
    await append;
  });

  it('does not call a store silent that answers other appends', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls, 100);
    const slow = channel.append('a-1', [event], 4n, 2_000);
    for (let correlation = 2; correlation < 10; correlation += 1) {
      const quick = channel.append('a-2', [event], 'any', 2_000);
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
    const append = channel.append('a-1', [event], 4n, 1_000);
    await until(() => calls[0]?.written.length === 1);
    calls[0]?.answer({ correlation: 1, outcome: { kind: 'unknown', reason: 'Timeout' } });
    await until(() => calls[0]?.written.length === 2);
    expect(calls[0]?.written[1]).toEqual(calls[0]?.written[0]);
    calls[0]?.answer({ correlation: 1, outcome: { kind: 'wrong_revision', actual: 7n } });
    await expect(append).resolves.toEqual({ kind: 'wrong_revision', actual: 7n });
  });

  it('asks a store that is too busy less and less often', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const append = channel.append('a-1', [event], 4n, 1_000);
    await until(() => calls[0]?.written.length === 1);
    const call = calls[0] as FakeCall;
    const write = call.write.bind(call);
    const busy = (): void => call.answer({ correlation: 1, outcome: { kind: 'unknown', reason: 'Server Is Busy' } });
    call.write = (message) => {
      setImmediate(busy);
      return write(message);
    };
    busy();
    await expect(append).rejects.toThrow(Unavailable);
    expect(call.written.length).toBeGreaterThan(2);
    expect(call.written.length).toBeLessThan(10);
  });

  it('says Unavailable when the budget is used up, and ignores what comes later', async () => {
    const calls: FakeCall[] = [];
    const channel = channelOver(calls);
    const began = performance.now();
    const append = channel.append('a-1', [event], 'any', 100);
    await expect(append).rejects.toThrow(Unavailable);
    expect(performance.now() - began).toBeLessThan(500);
    calls[0]?.answer(written(1));
  });

  it('keeps trying to connect within the budget', async () => {
    let attempts = 0;
    const call = new FakeCall();
    const channel = new AppendChannel(() => {
      attempts += 1;
      return attempts < 3 ? Promise.reject(new Error('refused')) : Promise.resolve(call);
    });
    const append = channel.append('a-1', [event], 'any', 1_000);
    await until(() => call.written.length === 1);
    call.answer(written(1));
    await append;
    expect(attempts).toBe(3);
  });

  it('rejects what is in flight when it is closed', async () => {
    const channel = channelOver([]);
    const append = channel.append('a-1', [event], 'any', 5_000);
    const closed = expect(append).rejects.toThrow(Unavailable);
    channel.close();
    await closed;
  });
});
