import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type EndpointRow } from '../../projections/webhooks/webhooks.queries.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { OutboundHttp, type OutboundResult } from '../platform/outbound/outbound-http.js';
import { CLOCK } from '../platform/tokens.js';
import { type AnnouncedEvent, envelopeOf, VERIFICATION } from './domain/envelope.js';
import { retryAfterOf } from './domain/schedule.js';
import { proofsOf, type Secrets, signedHeaders } from './domain/signature.js';
import { type ReceiverResponse } from './responses.js';
import { EndpointRepository } from './endpoint-repository.js';

/** Milliseconds of one try. */
export const TRY_BUDGET_MS = 15_000;

/** An endpoint with its texts opened. */
export interface Receiver {
  readonly url: string;
  readonly secrets: Secrets;
}

/** One try. */
export interface Sent {
  readonly beganAt: Date;
  readonly durationMs: number;
  readonly delivered: boolean;
  /** Null where no answer came; then the error says why. */
  readonly responseStatus: number | null;
  /** Seconds after which a receiver that is busy or away wants to be asked again. */
  readonly retryAfter: number | null;
  readonly error: string | null;
  /** Null where no answer came. */
  readonly response: ReceiverResponse | null;
}

/** Statuses whose Retry-After counts. */
const MAY_ASK_FOR_TIME: ReadonlySet<number> = new Set([429, 503]);

const isSuccess = (result: OutboundResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status < 300;

/** Sends one event to one receiver, signed afresh. */
@Injectable()
export class Sender {
  constructor(
    private readonly ledger: EndpointRepository,
    private readonly outbound: OutboundHttp,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async receiverOf(row: EndpointRow): Promise<Receiver> {
    const [url, secrets] = await Promise.all([this.ledger.urlOf(row), this.ledger.secretsOf(row, this.clock.now())]);
    return { url, secrets };
  }

  /** The host, over all tenants, as a keyed hash. */
  hostOf({ url }: Receiver): string {
    return this.hashes.idempotency(`webhook-host\0${new URL(url).host}`);
  }

  /**
   * Whether the receiver wants events: it answers with 2xx and the hexadecimal HMAC-SHA256 of the challenge under its secret, as text
   * or in JSON. An echo, or a 2xx to everything, proves nothing. Never rejects.
   */
  async challenge(receiver: Receiver, attempt: number, signal?: AbortSignal): Promise<Sent> {
    const challenge = randomBytes(24).toString('base64url');
    const now = this.clock.now();
    const event = { id: newUuid(), type: VERIFICATION, occurredAt: now, data: { challenge }, test: false } as const;
    const sent = await this.post(receiver, event, attempt, signal);
    const excerpt = sent.response?.body ?? '';
    const proofs = proofsOf(receiver.secrets, challenge);
    return { ...sent, delivered: sent.delivered && proofs.some((proof) => excerpt.includes(proof)) };
  }

  /** Never rejects. */
  async send(receiver: Receiver, event: AnnouncedEvent, attempt: number, signal?: AbortSignal): Promise<Sent> {
    return this.post(receiver, event, attempt, signal);
  }

  private async post(
    { url, secrets }: Receiver,
    event: AnnouncedEvent,
    attempt: number,
    signal?: AbortSignal,
  ): Promise<Sent> {
    const body = JSON.stringify(envelopeOf(event));
    const beganAt = this.clock.now();
    const headers = signedHeaders(secrets, { id: event.id, body, attempt, at: beganAt });
    const request = { url, headers, body, timeoutMs: TRY_BUDGET_MS, ...(signal === undefined ? {} : { signal }) };
    const result = await this.outbound.post(request);
    const answered = result.kind === 'answered';
    const sent = {
      beganAt,
      durationMs: result.durationMs,
      delivered: isSuccess(result),
      responseStatus: answered ? result.status : null,
      retryAfter:
        answered && MAY_ASK_FOR_TIME.has(result.status) ? retryAfterOf(result.retryAfter, this.clock.now()) : null,
      error: answered ? null : result.reason,
      response: answered ? { headers: result.headers, body: result.excerpt } : null,
    };
    return sent;
  }
}
