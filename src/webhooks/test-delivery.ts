import { Inject, Injectable } from '@nestjs/common';
import { type EndpointRow } from '../../projections/webhooks/webhooks.queries.js';
import { ANNOUNCEMENTS, type AnnouncementType } from '../kernel/contract.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { HttpFailure } from '../http/failure.js';
import { CLOCK } from '../platform/tokens.js';
import { BETWEEN_TESTS, Deliveries } from './deliveries.js';
import { DeliveryRecord } from './delivery-record.js';
import { Responses } from './responses.js';
import { type Receiver, Sender, type Sent } from './sender.js';

const MOST = 10;
const WINDOW = 60_000;

/** What the owner reads where the address answered, and did not prove itself. */
const UNPROVEN = 'the answer to the challenge holds no HMAC of it under the secret of the endpoint';

const TOO_MANY = `An endpoint takes ${MOST} tests a minute`;
const BUSY = 'The host of this endpoint gets as much as it may now';
const ASKED_ALREADY = `A host is asked for its proof every ${BETWEEN_TESTS / 1_000} s at most`;

const tooEarly = (detail: string, until: Date, now: Date): HttpFailure => {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return new HttpFailure(429, 'RATE_LIMITED', detail, { headers: { 'Retry-After': String(seconds) } });
};

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
    private readonly responses: Responses,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async send(endpoint: EndpointRow, type: AnnouncementType): Promise<TestOutcome> {
    const { tenantId, endpointId, urlEvent } = endpoint;
    const now = this.clock.now();
    const since = new Date(now.getTime() - WINDOW);
    const [eventId, deliveryId] = [newUuid(), newUuid()];
    const data = ANNOUNCEMENTS[type].example;
    const receiver = await this.sender.receiverOf(endpoint);
    const host = this.sender.hostOf(receiver);
    const proven = await this.deliveries.provenUrls([endpointId]);
    const leave =
      proven.get(endpointId) === urlEvent ? undefined : await this.deliveries.testHost({ tenantId, host }, now);
    if (leave?.granted === false) throw tooEarly(ASKED_ALREADY, leave.next, now);
    const { granted, next } = await this.deliveries.takeHostQuota(host, 1, now);
    if (granted === 0) throw tooEarly(BUSY, next, now);
    const test = { tenantId, endpointId, eventId, deliveryId, type, data, now, since, most: MOST };
    const full = await this.record.addTest(test);
    if (full !== undefined) throw tooEarly(TOO_MANY, new Date(full.getTime() + WINDOW), now);
    const event = { id: eventId, type, occurredAt: now, data, test: true };
    const refused = leave && (await this.challenge(endpoint, receiver, leave.failed + 1));
    const sent = refused ?? (await this.sender.send(receiver, event, 1));
    const { beganAt, durationMs, responseStatus, retryAfter, error, delivered } = sent;
    const response = await this.responses.seal(tenantId, deliveryId, 1, sent.response);
    await this.deliveries.note({
      deliveryId,
      endpointId,
      attempt: 1,
      beganAt,
      durationMs,
      responseStatus,
      retryAfter,
      error,
      response,
      status: delivered ? 'delivered' : 'failed',
      nextAttemptAt: null,
      // A test says nothing of the endpoint's deliveries.
      receiver: null,
    });
    return { eventId, deliveryId, sent };
  }

  /** An address that has not proved itself gets a challenge in place of the example. Undefined once it has proved itself. */
  private async challenge(endpoint: EndpointRow, receiver: Receiver, attempt: number): Promise<Sent | undefined> {
    const sent = await this.sender.challenge(receiver, attempt);
    if (!sent.delivered) return { ...sent, error: sent.error ?? UNPROVEN };
    const { tenantId, endpointId, urlEvent } = endpoint;
    const host = this.sender.hostOf(receiver);
    await this.deliveries.proven(endpointId, { tenantId, host }, urlEvent, this.clock.now());
    return undefined;
  }
}
