import { type StoredEvent } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { ReactionRun } from './reaction-run.js';
import { type Reaction, type ReactorOptions } from './reactor.js';

const REACTOR: ReactorOptions = {
  name: 'orders',
  version: 1,
  streamPrefixes: ['order-'],
  eventTypes: ['Ordered.v1'],
  startsAt: 'beginning',
  concurrency: 1,
};

const eventOf = (stream: string): StoredEvent => ({ id: newUuid(), stream }) as StoredEvent;

const world = (handle: Reaction['handle']) => {
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const events = { done: () => undefined, retried: () => undefined, park: () => Promise.resolve() };
  const run = new ReactionRun(REACTOR, { handle }, events, { stopping: stopping.signal, cutOff: cutOff.signal });
  return { run, stopping, cutOff };
};

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
