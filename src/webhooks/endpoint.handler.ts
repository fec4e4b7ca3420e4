import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { randomBytes } from 'node:crypto';
import pLimit from 'p-limit';
import { type EndpointRow, WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { refuse } from '../kernel/rejection.js';
import { KeyedMutex } from '../kernel/keyed-mutex.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import { Database } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';
import {
  ChangeEndpoint,
  DeleteEndpoint,
  DisableEndpoint,
  RegisterEndpoint,
  type RotatedSecret,
  RotateSecret,
  type ShownSecret,
} from './commands.js';
import { webhookKeySubject } from './domain/endpoint.events.js';
import { type Endpoint } from './domain/endpoint.js';
import { SECRET_BYTES, secretOf } from './domain/signature.js';
import { canonicalUrl } from './domain/endpoint-url.js';
import { undefinedIfDeleted } from './endpoint-reader.js';
import { EndpointRepository, type EndpointTarget } from './endpoint-repository.js';

export const MAX_ENDPOINTS = 20;

const newSecret = (): string => secretOf(randomBytes(SECRET_BYTES));

const assertCallable = (outbound: OutboundHttp, url: string): void => {
  const refusal = outbound.refusalOf(url);
  if (refusal !== undefined) throw refuse('invalid_field', { field: 'url', detail: `url: ${refusal}` });
};

const shown = async (
  ledger: EndpointRepository,
  target: EndpointTarget,
  { secret }: Endpoint,
): Promise<ShownSecret> => {
  if (secret === null) throw refuse('not_found');
  return { secret: await ledger.open(target, 'secret', secret) };
};

/** Keeps the URLs of an account apart, so that one event is sent to one address once. */
@Injectable()
export class EndpointUrls {
  private readonly turns = new KeyedMutex();
  /** Work takes a connection, and needs others of the same pool. */
  private readonly limited = pLimit(2);

  constructor(
    private readonly ledger: EndpointRepository,
    private readonly database: Database,
  ) {}

  /** Each endpoint has a stream of its own. So changes of an account's URLs wait for each other, on all instances. */
  inTurn<Result>(tenantId: TenantId, work: () => Promise<Result>): Promise<Result> {
    const locked = (): Promise<Result> =>
      this.database.transaction(async (transaction) => {
        await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks.${tenantId}`]);
        return work();
      });
    return this.turns.take(tenantId, () => this.limited(locked));
  }

  /** Throws Rejection webhook_url_registered if one of these endpoints has the URL, however it is spelled. */
  async assertUnused(endpoints: readonly EndpointRow[], url: string): Promise<void> {
    const wanted = canonicalUrl(url);
    const used = await Promise.all(endpoints.map((row) => this.ledger.urlOf(row).catch(undefinedIfDeleted)));
    if (used.some((other) => other !== undefined && canonicalUrl(other) === wanted))
      throw refuse('webhook_url_registered');
  }
}

@CommandHandler(RegisterEndpoint)
export class RegisterEndpointHandler implements ICommandHandler<RegisterEndpoint, ShownSecret> {
  constructor(
    private readonly ledger: EndpointRepository,
    private readonly index: WebhookQueries,
    private readonly outbound: OutboundHttp,
    private readonly urls: EndpointUrls,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute({ data }: RegisterEndpoint): Promise<ShownSecret> {
    assertCallable(this.outbound, data.url);
    const { tenantId, endpointId } = data;
    return this.urls.inTurn(tenantId, async () => {
      const present = await this.index.ofTenant(tenantId);
      const others = present.filter((row) => row.endpointId !== endpointId);
      if (others.length >= MAX_ENDPOINTS) throw refuse('webhook_endpoints_used_up');
      await this.urls.assertUnused(others, data.url);
      return this.register(data);
    });
  }

  private async register(data: RegisterEndpoint['data']): Promise<ShownSecret> {
    const { endpointId, url, description, events, metadata } = data;
    const seal = (field: 'url' | 'description' | 'secret', text: string) =>
      this.ledger.seal(data, endpointId, field, text);
    const sealed = {
      url: await seal('url', url),
      description: description === undefined ? null : await seal('description', description),
      secret: await seal('secret', newSecret()),
    };
    const command = { kind: 'register', endpointId, ...sealed, events, now: this.clock.now() } as const;
    const state = await this.ledger.execute(data, command, metadata, { firstEventId: endpointId });
    return shown(this.ledger, data, state);
  }
}

@CommandHandler(ChangeEndpoint)
export class ChangeEndpointHandler implements ICommandHandler<ChangeEndpoint, void> {
  constructor(
    private readonly ledger: EndpointRepository,
    private readonly index: WebhookQueries,
    private readonly outbound: OutboundHttp,
    private readonly urls: EndpointUrls,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: ChangeEndpoint): Promise<void> {
    const { tenantId, endpointId, url } = data;
    if (url === undefined) return this.change(data);
    assertCallable(this.outbound, url);
    return this.urls.inTurn(tenantId, async () => {
      const present = await this.index.ofTenant(tenantId);
      await this.urls.assertUnused(
        present.filter((row) => row.endpointId !== endpointId),
        url,
      );
      return this.change(data);
    });
  }

  private async change(data: ChangeEndpoint['data']): Promise<void> {
    const { endpointId, url, description, events, active, metadata } = data;
    // Seals nothing, and so makes no key, for an endpoint that is not there.
    if ((await this.ledger.load(data)).phase !== 'live') throw refuse('not_found');
    const firstEventId = newUuid();
    const sealed = {
      ...(url === undefined ? {} : { url: await this.ledger.seal(data, firstEventId, 'url', url) }),
      ...(description === undefined ? {} : { description: await this.sealed(data, firstEventId, description) }),
      ...(events === undefined ? {} : { events }),
      ...(active === undefined ? {} : { active }),
    };
    const command = { kind: 'change', endpointId, ...sealed, now: this.clock.now() } as const;
    await this.ledger.execute(data, command, metadata, { firstEventId });
  }

  private async sealed(target: EndpointTarget, eventId: string, description: string | null) {
    return description === null ? null : this.ledger.seal(target, eventId, 'description', description);
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret, RotatedSecret> {
  constructor(
    private readonly ledger: EndpointRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: RotateSecret): Promise<RotatedSecret> {
    const { endpointId, rotationId, overlapSeconds, metadata } = data;
    if ((await this.ledger.load(data)).phase !== 'live') throw refuse('not_found');
    const secret = await this.ledger.seal(data, rotationId, 'secret', newSecret());
    const command = { kind: 'rotate', endpointId, secret, overlapSeconds, now: this.clock.now() } as const;
    const state = await this.ledger.execute(data, command, metadata, { firstEventId: rotationId });
    invariant(state.rotation !== null, 'a rotated endpoint has its rotation');
    return { ...(await shown(this.ledger, data, state)), ...state.rotation };
  }
}

@CommandHandler(DisableEndpoint)
export class DisableEndpointHandler implements ICommandHandler<DisableEndpoint, void> {
  constructor(
    private readonly ledger: EndpointRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: DisableEndpoint): Promise<void> {
    const { endpointId, reason } = data;
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'webhooks' } } as const;
    await this.ledger.execute(data, { kind: 'disable', endpointId, reason, now: this.clock.now() }, metadata);
  }
}

/** A reactor destroys the key and ends open deliveries, also where this process dies first. */
@CommandHandler(DeleteEndpoint)
export class DeleteEndpointHandler implements ICommandHandler<DeleteEndpoint, void> {
  constructor(
    private readonly ledger: EndpointRepository,
    private readonly shredder: DataKeyShredder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: DeleteEndpoint): Promise<void> {
    const { tenantId, endpointId, metadata } = data;
    const now = this.clock.now();
    const dataKeyIds = await this.shredder.present(tenantId, webhookKeySubject(endpointId), now);
    await this.ledger.execute(data, { kind: 'delete', endpointId, dataKeyIds, now }, metadata);
  }
}

export const ENDPOINT_HANDLERS = [
  RegisterEndpointHandler,
  ChangeEndpointHandler,
  RotateSecretHandler,
  DisableEndpointHandler,
  DeleteEndpointHandler,
];
