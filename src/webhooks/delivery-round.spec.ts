import { type CommandBus } from '@nestjs/cqrs';
import { type WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { Hold } from '../../test/support/hold.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { Unavailable } from '../kernel/unavailable.js';
import { Metrics } from '../observability/metrics.js';
import { type Deliveries } from './deliveries.js';
import { DeliveryRound } from './delivery-round.js';
import { type Responses } from './responses.js';
import { type SealedMembers, type StoredAnnouncement } from './sealed-members.js';
import { type Sender } from './sender.js';

const NOW = new Date(0);

describe('a round at an endpoint', () => {
  it('ends once every stream of its page has, also where one of them fails', async () => {
    const hold = new Hold();
    const noted: string[] = [];
    const due = ['bad', 'good'].map((id) => ({
      id,
      endpointId: 'e',
      stream: id,
      attempts: 0,
      event: { id, test: false },
    }));
    const deliveries = {
      hold: () => Promise.resolve({ failingSince: null, slow: false, provenUrl: 'u' }),
      due: () => Promise.resolve(due),
      takeHostQuota: () => Promise.resolve({ granted: due.length, next: NOW }),
      note: ({ deliveryId }: { deliveryId: string }) => Promise.resolve(noted.push(deliveryId)),
    } as unknown as Deliveries;
    const sent = { beganAt: NOW, durationMs: 1, delivered: true, responseStatus: 200, error: null };
    const sender = {
      receiverOf: () => Promise.resolve({ url: 'https://example.org', secrets: [] }),
      hostOf: () => 'host',
      send: () => hold.pass().then(() => sent),
    } as unknown as Sender;
    const members = {
      open: (event: StoredAnnouncement) =>
        event.id === 'bad' ? Promise.reject(new Unavailable('postgres')) : Promise.resolve(event),
    } as unknown as SealedMembers;
    const index = {
      endpoint: () => Promise.resolve({ endpointId: 'e', active: true, activeSince: NOW, urlEvent: 'u' }),
    } as unknown as WebhookQueries;
    const commands = {} as CommandBus;
    const responses = { seal: () => Promise.resolve(null) } as unknown as Responses;
    const round = new DeliveryRound(
      index,
      deliveries,
      sender,
      members,
      responses,
      commands,
      new Metrics(),
      new ManualClock(),
    );
    const { signal } = new AbortController();
    const running = round.run('e', 'quick', signal);
    const failure = expect(running).rejects.toThrow(Unavailable);
    await hold.reached;
    await new Promise(setImmediate);
    // Another round at the endpoint would send what is under way once more.
    expect(await round.run('e', 'quick', signal)).toBe('done');
    expect(noted).toEqual([]);
    hold.release();
    await failure;
    expect(noted).toEqual(['good']);
  });
});
