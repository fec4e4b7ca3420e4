import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import pMap from 'p-map';
import { randomInt } from 'node:crypto';
import { type EndpointRow, WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { type Clock } from '../kernel/clock.js';
import { isRejection } from '../kernel/rejection.js';
import { Metrics } from '../observability/metrics.js';
import { CLOCK } from '../platform/tokens.js';
import { DisableEndpoint } from './commands.js';
import { type AskedHost, type Attempt, Deliveries, type DueDelivery, type ReceiverState } from './deliveries.js';
import { isGivenUp, nextTryAt } from './domain/schedule.js';
import { Responses } from './responses.js';
import { SealedMembers } from './sealed-members.js';
import { type Receiver, Sender, type Sent, TRY_BUDGET_MS } from './sender.js';

/** Deliveries in memory for one endpoint. */
const PAGE = 16;
/** Streams that are sent to one endpoint at the same time. */
const CONCURRENCY = 8;
/** An instance that has noted nothing for this long has died, milliseconds. Longer than one try. */
const HELD_FOR = TRY_BUDGET_MS + 5_000;
/** A receiver that takes longer than this is slow, milliseconds. */
const SLOW = 2_000;
/** Milliseconds after which an endpoint with more to do goes to the end of the line. */
const TURN = 5_000;
const GIVEN_UP_AT_ONCE = 1_000;
const GONE = 410;
const FINENESS = 1_000_000;

/** Endpoints of one host that this process serves at the same time: a host that answers nothing takes no more places. */
const MAX_A_HOST = 32;
/** Milliseconds until an endpoint without a place asks for one again. */
const NO_PLACE = 1_000;

/** `more`: there is work left. `slow`: the endpoint belongs in the other line. */
export type RoundEnd = 'done' | 'more' | 'slow';

/** What one page of deliveries shares. */
interface Page {
  readonly endpoint: EndpointRow;
  readonly receiver: Receiver;
  readonly state: ReceiverState;
  readonly stopping: AbortSignal;
  /** The receiver wants to be left alone for a while. */
  rests: boolean;
}

const byStream = (deliveries: readonly DueDelivery[]): readonly (readonly DueDelivery[])[] => {
  const lanes = new Map<string, DueDelivery[]>();
  for (const delivery of deliveries) {
    const lane = lanes.get(delivery.stream);
    if (lane === undefined) lanes.set(delivery.stream, [delivery]);
    else lane.push(delivery);
  }
  return [...lanes.values()];
};

/**
 * Delivers what is due at one endpoint. One instance at a time works on an endpoint; if it dies, another takes over after
 * 20 s. A try that was sent and not noted is sent again.
 */
@Injectable()
export class DeliveryRound {
  private readonly count: (outcome: string) => void;
  /** The endpoints that a round works on, and whether another was asked for meanwhile. */
  private readonly running = new Map<string, { again: boolean }>();
  /** How many endpoints of a host are served now. */
  private readonly served = new Map<string, number>();

  constructor(
    private readonly index: WebhookQueries,
    private readonly deliveries: Deliveries,
    private readonly sender: Sender,
    private readonly members: SealedMembers,
    private readonly responses: Responses,
    private readonly commands: CommandBus,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.count = metrics.counter('webhook_attempts_total', 'Tries to deliver to a webhook endpoint', 'outcome');
  }

  /** `line`: whose turn it is. Throws Unavailable; what is not noted stays due. */
  async run(endpointId: string, line: 'quick' | 'slow', stopping: AbortSignal): Promise<RoundEnd> {
    const present = this.running.get(endpointId);
    if (present !== undefined) {
      present.again = true;
      return 'done';
    }
    const own = { again: false };
    this.running.set(endpointId, own);
    try {
      const end = await this.deliver(endpointId, line, stopping);
      // What came after the last look at the table would wait for the reconciler.
      return own.again && end === 'done' ? 'more' : end;
    } finally {
      this.running.delete(endpointId);
    }
  }

  private async deliver(endpointId: string, line: 'quick' | 'slow', stopping: AbortSignal): Promise<RoundEnd> {
    const ends = this.clock.monotonic() + TURN;
    let end: RoundEnd = 'more';
    while (end === 'more' && this.clock.monotonic() < ends && !stopping.aborted) {
      const state = await this.deliveries.hold(endpointId, this.clock.now(), this.heldUntil());
      if (state === undefined) return 'done';
      end = state.slow && line === 'quick' ? 'slow' : await this.page(endpointId, state, stopping);
    }
    await this.deliveries.release(endpointId, this.clock.now());
    return end;
  }

  private async page(endpointId: string, state: ReceiverState, stopping: AbortSignal): Promise<RoundEnd> {
    const [endpoint, due] = await Promise.all([
      this.index.endpoint(endpointId),
      this.deliveries.due(endpointId, this.clock.now(), PAGE),
    ]);
    if (due.length === 0) return 'done';
    if (endpoint?.active !== true) return this.giveUp(endpointId);
    const receiver = await this.receiverOf(endpoint);
    if (receiver === undefined) return this.giveUp(endpointId);
    const page = { endpoint, receiver, state, stopping, rests: false };
    const host = this.sender.hostOf(receiver);
    const served = this.served.get(host) ?? 0;
    if (served >= MAX_A_HOST) return this.postpone(endpointId, new Date(this.clock.now().getTime() + NO_PLACE));
    this.served.set(host, served + 1);
    try {
      const isProven = state.provenUrl === endpoint.urlEvent;
      const { granted, next } = await this.deliveries.takeHostQuota(host, isProven ? due.length : 1, this.clock.now());
      if (granted === 0) return await this.postpone(endpointId, next);
      if (!isProven) return await this.challenge(page, { tenantId: endpoint.tenantId, host });
      const end = await this.send(page, due.slice(0, granted));
      return end === 'done' && granted < due.length ? await this.postpone(endpointId, next) : end;
    } finally {
      const others = (this.served.get(host) ?? 1) - 1;
      if (others === 0) this.served.delete(host);
      else this.served.set(host, others);
    }
  }

  /** Undefined where nothing opens its address any more: it was just deleted, or its data key was lost and given up. */
  private async receiverOf(endpoint: EndpointRow): Promise<Receiver | undefined> {
    try {
      return await this.sender.receiverOf(endpoint);
    } catch (error) {
      if (!isRejection(error, 'not_found')) throw error;
      await this.disable(endpoint, 'gone');
      return undefined;
    }
  }

  private async postpone(endpointId: string, until: Date): Promise<'done'> {
    await this.deliveries.postpone(endpointId, until);
    return 'done';
  }

  /** Nothing is sent to an address that has not shown its secret. An endpoint that never does is disabled. */
  private async challenge({ endpoint, receiver, stopping }: Page, asked: AskedHost): Promise<RoundEnd> {
    const { endpointId, urlEvent } = endpoint;
    const leave = await this.deliveries.askHost(asked, this.clock.now(), this.heldUntil());
    if (!leave.granted) return this.postpone(endpointId, leave.next);
    const tries = leave.failed + 1;
    const { delivered, responseStatus, retryAfter } = await this.sender.challenge(receiver, tries, stopping);
    if (stopping.aborted && !delivered) return 'done';
    const now = this.clock.now();
    if (delivered) {
      await this.deliveries.proven(endpointId, asked, urlEvent, now);
      return 'more';
    }
    const next = nextTryAt(tries, now, randomInt(FINENESS) / FINENESS, retryAfter);
    if (responseStatus === GONE || next === undefined) {
      await this.disable(endpoint, responseStatus === GONE ? 'gone' : 'failing');
      return 'more';
    }
    await this.deliveries.unproven(endpoint, asked.host, now, next);
    return 'done';
  }

  private async send(page: Page, due: readonly DueDelivery[]): Promise<RoundEnd> {
    // A lane that fails does not leave the others behind: no one else works on the endpoint until all have ended.
    const failures: unknown[] = [];
    const lanes = await pMap(
      byStream(due),
      (lane) => this.lane(page, lane).catch((error: unknown) => void failures.push(error)),
      { concurrency: CONCURRENCY },
    );
    const disabling = lanes.find((reason) => reason !== undefined);
    if (disabling !== undefined) await this.disable(page.endpoint, disabling);
    if (failures.length > 0) throw failures[0];
    if (page.rests) return 'done';
    return due.length < PAGE && disabling === undefined ? 'done' : 'more';
  }

  /** One after the other, so that the receiver sees a stream's order. Returns why the endpoint is to be disabled. */
  private async lane(page: Page, lane: readonly DueDelivery[]): Promise<'gone' | 'failing' | undefined> {
    for (const delivery of lane) {
      if (page.stopping.aborted || page.rests) return undefined;
      const reason = await this.attempt(page, delivery);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  private async attempt(page: Page, delivery: DueDelivery): Promise<'gone' | 'failing' | undefined> {
    const { endpoint, receiver, state, stopping } = page;
    const tries = delivery.attempts + 1;
    const sent = await this.sender.send(receiver, await this.members.open(delivery.event), tries, stopping);
    // It was cut off by the stop, which says nothing of the receiver.
    if (stopping.aborted && !sent.delivered) return undefined;
    this.count(sent.delivered ? 'delivered' : 'failed');
    page.rests ||= sent.retryAfter !== null;
    const response = await this.responses.seal(page.endpoint.tenantId, delivery.id, tries, sent.response);
    await this.deliveries.note({ ...this.attemptOf(delivery, tries, sent), response });
    if (sent.delivered) return undefined;
    if (sent.responseStatus === GONE) return 'gone';
    return isGivenUp(state.failingSince, endpoint.activeSince, this.clock.now()) ? 'failing' : undefined;
  }

  private attemptOf(delivery: DueDelivery, tries: number, sent: Sent): Omit<Attempt, 'response'> {
    const { delivered, beganAt, durationMs, responseStatus, retryAfter, error } = sent;
    const now = this.clock.now();
    const hasNext = !delivered && responseStatus !== GONE && !delivery.event.test;
    const next = hasNext ? nextTryAt(tries, now, randomInt(FINENESS) / FINENESS, retryAfter) : undefined;
    return {
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      attempt: tries,
      beganAt,
      durationMs,
      responseStatus,
      retryAfter,
      error,
      status: delivered ? 'delivered' : next === undefined ? 'failed' : 'pending',
      nextAttemptAt: next ?? null,
      receiver: {
        slow: !delivered || durationMs > SLOW,
        heldUntil: this.heldUntil(),
        restsUntil: retryAfter === null ? null : new Date(now.getTime() + retryAfter * 1_000),
      },
    };
  }

  /** The events stay in the feed, and each delivery can be ordered again. */
  private async giveUp(endpointId: string): Promise<RoundEnd> {
    await this.index.assertCurrent();
    const count = await this.deliveries.giveUp(endpointId, GIVEN_UP_AT_ONCE);
    return count < GIVEN_UP_AT_ONCE ? 'done' : 'more';
  }

  private async disable({ tenantId, endpointId }: EndpointRow, reason: 'gone' | 'failing'): Promise<void> {
    try {
      await this.commands.execute(new DisableEndpoint({ tenantId, endpointId, reason }));
    } catch (error) {
      // Its owner has just deleted it.
      if (!isRejection(error, 'not_found')) throw error;
    }
  }

  private heldUntil(): Date {
    return new Date(this.clock.now().getTime() + HELD_FOR);
  }
}
