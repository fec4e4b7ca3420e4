import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Mailer } from '../kernel/mail.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { type ReactionContext, type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { Deliveries } from './deliveries.js';
import {
  WEBHOOK_STREAM_PREFIX,
  type WebhookEndpointChanged,
  type WebhookEndpointDeleted,
  type WebhookEndpointDisabled,
} from './domain/endpoint.events.js';

type Followed = WebhookEndpointChanged | WebhookEndpointDeleted | WebhookEndpointDisabled;

const REMOVED_AT_ONCE = 1_000;

const REASONS: Readonly<Record<WebhookEndpointDisabled['data']['reason'], string>> = {
  gone: 'it answered 410 Gone',
  failing: 'every delivery of the last five days failed',
};

/** Ends what belongs to a deleted endpoint, and informs the account of a disabled one. */
@Reactor({
  name: 'webhook-endpoints',
  version: 1,
  streamPrefixes: [WEBHOOK_STREAM_PREFIX],
  eventTypes: [
    'WebhookEndpointChanged.v1',
    'WebhookEndpointDeleted.v1',
    'WebhookEndpointDisabled.v1',
  ] satisfies readonly Followed['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class EndpointReactor implements Reaction {
  constructor(
    private readonly shredder: DataKeyShredder,
    private readonly deliveries: Deliveries,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly mailer: Mailer,
  ) {}

  async handle(event: StoredEvent, { effectId, signal }: ReactionContext): Promise<void> {
    const { type, data } = event as StoredEvent & Followed;
    const tenantId = tenantOfStream(event.stream) as TenantId;
    if (type === 'WebhookEndpointChanged.v1') return this.askAgain(tenantId, data);
    if (type === 'WebhookEndpointDeleted.v1') return this.remove(data, signal);
    await this.mailer.notify({
      id: effectId,
      tenantId,
      subject: 'A webhook endpoint was disabled',
      text: `Your webhook endpoint ${data.endpointId} was disabled on ${data.disabledAt}, since ${REASONS[data.reason]}.
Nothing is sent to it any more. Events of the last 30 days are at GET /api/v1/events.
Once it works again, set is_active with PATCH /api/v1/webhooks/endpoints/${data.endpointId}.
`,
    });
  }

  /** What rests is asked at once where its address is another or it was switched on. */
  private async askAgain(
    tenantId: TenantId,
    { endpointId, url, active }: WebhookEndpointChanged['data'],
  ): Promise<void> {
    if (url !== undefined || active === true) await this.deliveries.resume(tenantId, endpointId, this.clock.now());
  }

  private async remove({ dataKeyIds, endpointId }: WebhookEndpointDeleted['data'], signal: AbortSignal): Promise<void> {
    await this.shredder.destroy(dataKeyIds, this.clock.now());
    while ((await this.deliveries.remove(endpointId, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE) signal.throwIfAborted();
  }
}
