import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { type AppendResult, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { systemClock } from '../kernel/clock.js';
import { Unavailable } from '../kernel/unavailable.js';
import { decideOnStream, loadStream } from './stream-decision.js';

/** Somebody else is always first. */
class ContendedStore extends SimulatedEventStore {
  appends = 0;

  override append(stream: string): Promise<AppendResult> {
    this.appends += 1;
    return Promise.reject(new WrongExpectedRevision(stream, 'no_stream', 0n));
  }
}

describe('deciding on a stream', () => {
  it('gives up on endless conflicts as on a store that is busy: nobody is told of a fault of ours', async () => {
    const store = new ContendedStore();
    const event = { type: 'Happened.v1', data: {} } as const;
    const decider = { initialState: () => ({}), decide: () => [event], evolve: () => ({}) };
    const cause = { requestId: '0123456789abcdef', actor: { type: 'system', id: 'test' } } as const;
    const stream = 'identity-t_1';
    const load = () => loadStream(store, stream, decider);
    const deciding = decideOnStream({ store, clock: systemClock, stream, load, decider, command: {}, cause });
    await expect(deciding).rejects.toThrow(Unavailable);
    expect(store.appends).toBe(20);
  });
});
