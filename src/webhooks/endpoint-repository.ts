import { Injectable } from '@nestjs/common';
import { type EndpointRow, WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { type Envelope } from '../kernel/envelope.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type DecideOptions } from '../log/append/aggregates.js';
import { webhookCategory } from './domain/endpoint.category.js';
import { type EndpointCommand } from './domain/endpoint.commands.js';
import { type WebhookEvent, webhookKeySubject, webhookStream } from './domain/endpoint.events.js';
import { type Endpoint, type SealedText } from './domain/endpoint.js';
import { type Secrets } from './domain/signature.js';

export interface EndpointTarget {
  readonly tenantId: TenantId;
  readonly endpointId: string;
}

type Field = 'url' | 'description' | 'secret';
type Options = Omit<DecideOptions<Endpoint, WebhookEvent>, 'metadata'>;

/** How long an answer waits until the change holds for the delivery of events, milliseconds. */
const INDEX_BUDGET_MS = 5_000;

/** Reads and writes the endpoints' streams, and opens what they seal. */
@Injectable()
export class EndpointRepository {
  private readonly endpoints: Aggregates<Endpoint, EndpointCommand, WebhookEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly vault: Vault,
    private readonly index: WebhookQueries,
  ) {
    this.endpoints = aggregates.of(webhookCategory);
  }

  async load({ tenantId, endpointId }: EndpointTarget): Promise<Endpoint> {
    return (await this.endpoints.load(webhookStream(tenantId, endpointId))).state;
  }

  /** Seals a text under the endpoint's key, for the event with this id. */
  async seal(target: EndpointTarget, eventId: string, field: Field, text: string): Promise<Envelope> {
    const key = await this.vault.subjectKey(target.tenantId, webhookKeySubject(target.endpointId));
    return this.vault.seal(key, this.place(target, eventId, field), text);
  }

  /** Throws not_found if the endpoint was deleted meanwhile. */
  async open(target: EndpointTarget, field: Field, { envelope, eventId }: SealedText): Promise<string> {
    const text = await this.vault.open(this.place(target, eventId, field), envelope);
    if (text === ERASED) throw refuse('not_found');
    return String(text);
  }

  async urlOf(row: EndpointRow): Promise<string> {
    return this.open(row, 'url', { envelope: row.url, eventId: row.urlEvent });
  }

  async descriptionOf(row: EndpointRow): Promise<string | null> {
    const { description: envelope, descriptionEvent: eventId } = row;
    return envelope === null || eventId === null ? null : this.open(row, 'description', { envelope, eventId });
  }

  async secretsOf(row: EndpointRow, now: Date): Promise<Secrets> {
    const present = await this.open(row, 'secret', { envelope: row.secret, eventId: row.secretEvent });
    const { formerSecret: envelope, formerSecretEvent: eventId, formerUntil } = row;
    if (envelope === null || eventId === null || formerUntil === null || formerUntil <= now) return { present };
    return { present, former: await this.open(row, 'secret', { envelope, eventId }) };
  }

  /** Returns once the deliveries know of the change too, so that an event after the answer meets the changed endpoint. */
  async execute(
    target: EndpointTarget,
    command: EndpointCommand,
    metadata: CommandMetadata,
    options: Options = {},
  ): Promise<Endpoint> {
    const stream = webhookStream(target.tenantId, target.endpointId);
    const { state, position } = await this.endpoints.execute(stream, command, {
      ...options,
      metadata,
      inTurn: true,
    });
    // The change is durable. Only when it holds everywhere cannot be promised yet.
    if (position !== undefined && !(await this.index.reaches(position, INDEX_BUDGET_MS)))
      throw new Unavailable('postgres');
    return state;
  }

  private place({ tenantId, endpointId }: EndpointTarget, eventId: string, field: Field) {
    return { tenantId, stream: webhookStream(tenantId, endpointId), eventId, field };
  }
}
