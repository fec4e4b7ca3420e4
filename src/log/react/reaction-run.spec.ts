import { type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { ReactionRun, type ReactionTime } from './reaction-run.js';
import { type Reaction, type ReactorOptions } from '../../kernel/reaction.js';

const REACTOR: ReactorOptions = {
  name: 'orders',
  version: 1,
  streamPrefixes: ['order-'],
  eventTypes: ['Ordered.v1'],
  startsAt: 'beginning',
  concurrency: 1,
};

const eventOf = (stream: string): StoredEvent => ({ id: newUuid(), stream }) as StoredEvent;

const world = (handle: Reaction['handle'], time?: ReactionTime) => {
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const parked: string[] = [];
  const park = ({ stream }: StoredEvent) => Promise.resolve(void parked.push(stream));
  const events = { done: () => undefined, retried: () => undefined, park };
  const signals = { stopping: stopping.signal, cutOff: cutOff.signal };
  const run = new ReactionRun(REACTOR, { handle }, events, signals, time);
  return { run, stopping, cutOff, parked };
};

const MINUTE = 60_000;

describe('an event whose part is away', () => {
  /** Time passes by pauses alone. After `most` of them the run is stopped. */
  const lasting = (isAway: (stream: string) => boolean, most: number) => {
    let [now, pauses] = [0, 0];
    const pause = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      if ((pauses += 1) === most) made.stopping.abort();
      return new Promise(setImmediate);
    };
    const handle: Reaction['handle'] = ({ stream }) =>
      isAway(stream) ? Promise.reject(new Unavailable('keys')) : Promise.resolve();
    const made = world(handle, { now: () => now, pause });
    return { ...made, passed: () => now };
  };

  it('is parked after an hour where others were done meanwhile', async () => {
    const { run, parked, passed } = lasting((stream) => stream === 'order-lost', 1_000);
    const reacting = run.react(eventOf('order-lost'));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await run.react(eventOf('order-other'));
    expect(await reacting).toBe(true);
    expect(parked).toEqual(['order-lost']);
    expect(passed()).toBeGreaterThan(60 * MINUTE);
    expect(passed()).toBeLessThan(90 * MINUTE);
  });

  it('waits where the part is away for all', async () => {
    const { run, parked } = lasting(() => true, 1_000);
    expect(await Promise.all([run.react(eventOf('order-lost')), run.react(eventOf('order-other'))])).toEqual([
      false,
      false,
    ]);
    expect(parked).toEqual([]);
  });
});

describe('a run of reactions', () => {
  it('does not begin a try that still waits for its turn when the process stops', async () => {
    const begun: string[] = [];
    let end = (): void => undefined;
    const { run, stopping } = world(({ stream }) => {
      begun.push(stream);
      return new Promise((resolve) => (end = resolve));
    });
    const reacting = [run.react(eventOf('order-1')), run.react(eventOf('order-2'))];
    await new Promise(setImmediate);
    stopping.abort();
    end();
    expect(await Promise.all(reacting)).toEqual([true, false]);
    expect(begun).toEqual(['order-1']);
  });

  it('hands a try that begins after the cut-off an aborted signal', async () => {
    let aborted: boolean | undefined;
    const { run, cutOff } = world((_, { signal }) => {
      aborted = signal.aborted;
      return Promise.resolve();
    });
    cutOff.abort();
    await run.once(eventOf('order-1'), 1);
    expect(aborted).toBe(true);
  });
});
