import { Inject, Injectable } from '@nestjs/common';
import { type EndpointRow } from '../../projections/webhooks/webhooks.queries.js';
import { ANNOUNCEMENTS, type AnnouncementType } from '../contract/collected.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { HttpFailure } from '../platform/http/failure.js';
import { CLOCK } from '../platform/tokens.js';
import { Deliveries } from './deliveries.js';
import { DeliveryRecord } from './delivery-record.js';
import { nextTryAt } from './domain/schedule.js';
import { type Receiver, Sender, type Sent, TRY_BUDGET } from './sender.js';

const MOST = 10;
const WINDOW = 60_000;

const DAY = 86_400_000;
/** What the owner reads where the address answered, and did not prove itself. */
const UNPROVEN = 'the answer to the challenge holds no HMAC of it under the secret of the endpoint';

const tooMany = (seconds: number): HttpFailure =>
  new HttpFailure(429, 'RATE_LIMITED', `An endpoint takes ${MOST} tests a minute`, {
    headers: { 'Retry-After': String(seconds) },
  });

const busy = (seconds: number): HttpFailure =>
  new HttpFailure(429, 'RATE_LIMITED', 'The host of this endpoint gets as much as it may now', {
    headers: { 'Retry-After': String(seconds) },
  });

export interface TestOutcome {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly sent: Sent;
}

/** Sends an example of an event type at once, in one try. */
@Injectable()
export class TestDelivery {
  constructor(
    private readonly record: DeliveryRecord,
    private readonly deliveries: Deliveries,
    private readonly sender: Sender,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async send(endpoint: EndpointRow, type: AnnouncementType): Promise<TestOutcome> {
    const { tenantId, endpointId } = endpoint;
    const now = this.clock.now();
    const since = new Date(now.getTime() - WINDOW);
    const [eventId, deliveryId] = [newUuid(), newUuid()];
    const data = ANNOUNCEMENTS[type].example;
    const receiver = await this.sender.receiverOf(endpoint);
    const { granted, next } = await this.deliveries.takeRoom(this.sender.hostOf(receiver), 1, now);
    if (granted === 0) throw busy(Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1_000)));
    const test = { tenantId, endpointId, eventId, deliveryId, type, data, now, since, most: MOST };
    const full = await this.record.addTest(test);
    if (full !== undefined) throw tooMany(Math.ceil((full.getTime() - since.getTime()) / 1_000));
    const event = { id: eventId, type, occurredAt: now, data, test: true };
    const refused = await this.askFirst(endpoint, receiver);
    const sent = refused ?? (await this.sender.send(receiver, event, 1));
    const { beganAt, durationMs, responseStatus, retryAfter, error, delivered } = sent;
    await this.deliveries.note({
      deliveryId,
      endpointId,
      attempt: 1,
      beganAt,
      durationMs,
      responseStatus,
      retryAfter,
      error,
      status: delivered ? 'delivered' : 'failed',
      nextAttemptAt: null,
      // A test says nothing of the endpoint's deliveries.
      receiver: null,
    });
    return { eventId, deliveryId, sent };
  }

  /** An address that has not proved itself gets a challenge in place of the example. Undefined once it has proved itself. */
  private async askFirst(endpoint: EndpointRow, receiver: Receiver): Promise<Sent | undefined> {
    const { tenantId, endpointId, urlEvent } = endpoint;
    const proven = await this.deliveries.provenUrls([endpointId]);
    if (proven.get(endpointId) === urlEvent) return undefined;
    const asked = { tenantId, host: this.sender.hostOf(receiver) };
    const began = this.clock.now();
    const leave = await this.deliveries.askHost(asked, began, new Date(began.getTime() + 2 * TRY_BUDGET), true);
    if (!leave.granted) throw busy(Math.max(1, Math.ceil((leave.next.getTime() - began.getTime()) / 1_000)));
    const sent = await this.sender.challenge(receiver, leave.failed + 1);
    const now = this.clock.now();
    if (sent.delivered) {
      await this.deliveries.proven(endpointId, asked, urlEvent, now);
      return undefined;
    }
    const next = nextTryAt(leave.failed + 1, now, 1, sent.retryAfter) ?? new Date(now.getTime() + DAY);
    await this.deliveries.unproven(endpointId, asked, now, next);
    return { ...sent, error: sent.error ?? UNPROVEN };
  }
}
