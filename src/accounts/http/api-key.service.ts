import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../../kernel/clock.js';
import { type TenantId } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { noteChanges } from '../../http/operator-trail.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { type AccountRecord } from '../domain/account-record.js';
import { ApiKeyFactory, type IssuedApiKey } from '../api-key-factory.js';
import { ApiKeyUsage, type LastUse } from '../api-key-usage.js';
import { IssueApiKey, LimitApiKey, RevokeApiKey, RotateApiKey } from '../domain/account.commands.js';
import { type ApiKey, isLive, isUnused } from '../domain/key-grants.js';
import {
  type ApiKeyResponse,
  type ApiKeysResponse,
  type CreateApiKeyBody,
  type LimitApiKeyBody,
  type ListApiKeysQuery,
  type NewApiKeyResponse,
} from './api-key.dto.js';
import { auditedMetadataOf, effectIdOf, type ManagementContext } from './command-metadata.js';

const statusOf = (key: ApiKey, now: string): string => {
  if (key.revokedAt !== null) return 'revoked';
  return isLive(key, now) ? 'active' : 'expired';
};

const limitsIn = ({ credit_cap_per_day: cap, allowed_addresses: addresses }: LimitApiKeyBody) => ({
  ...(cap === undefined ? {} : { creditCapPerDay: cap }),
  ...(addresses === undefined ? {} : { allowedAddresses: addresses }),
});

const DAY_MS = 86_400_000;

/** An account's keys over HTTP, shared by the tenant's and the operators' endpoints. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    private readonly apiKeys: ApiKeyFactory,
    private readonly usage: ApiKeyUsage,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `grantedBy` is the requesting key. Null for an operator. */
  async issue(
    tenantId: TenantId,
    { name, scopes, expires_at, ...limits }: CreateApiKeyBody,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<NewApiKeyResponse> {
    const { apiKey, keyId, environment, secretHash } = this.apiKeys.create(effectIdOf(context, 'api_key'));
    const wanted = {
      ...(scopes === undefined ? {} : { scopes }),
      ...(expires_at === undefined ? {} : { expiresAt: expires_at.toISOString() }),
      ...limitsIn(limits),
    };
    const key = { keyId, environment, secretHash, name, ...wanted };
    const metadata = auditedMetadataOf(context, this.clock, 'key_created', { keyId });
    const command = new IssueApiKey(tenantId, { key, grantedBy }, metadata);
    const { record, changes } = await this.commands.execute(command);
    noteChanges(context, changes);
    return this.shownOnce(record, keyId, apiKey);
  }

  async rotate(
    tenantId: TenantId,
    keyId: string,
    overlapSeconds: number,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<NewApiKeyResponse> {
    const issued: IssuedApiKey = this.apiKeys.create(effectIdOf(context, 'api_key'));
    const { apiKey, ...successor } = issued;
    const data = { keyId, successor, name: null, overlapSeconds, grantedBy };
    const metadata = auditedMetadataOf(context, this.clock, 'key_rotated', { keyId });
    const command = new RotateApiKey(tenantId, data, metadata);
    const { record, changes } = await this.commands.execute(command);
    noteChanges(context, changes);
    return this.shownOnce(record, issued.keyId, apiKey);
  }

  async limit(
    tenantId: TenantId,
    keyId: string,
    limits: LimitApiKeyBody,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<ApiKeyResponse> {
    const data = { keyId, ...limitsIn(limits), grantedBy };
    const metadata = auditedMetadataOf(context, this.clock, 'key_changed', { keyId });
    const { record, changes } = await this.commands.execute(new LimitApiKey(tenantId, data, metadata));
    noteChanges(context, changes);
    const key = record.account.keys.get(keyId);
    invariant(key !== undefined, 'a changed key stands in its account');
    return this.shown(record, key, await this.usage.of(tenantId), true);
  }

  async revoke(tenantId: TenantId, keyId: string, context: ManagementContext): Promise<void> {
    const metadata = auditedMetadataOf(context, this.clock, 'key_revoked', { keyId });
    noteChanges(context, (await this.commands.execute(new RevokeApiKey(tenantId, { keyId }, metadata))).changes);
  }

  /** Newest first. Names are the tenant's free text and are left out if `withNames` is false. */
  async list(record: AccountRecord, { unused_days }: ListApiKeysQuery, withNames: boolean): Promise<ApiKeysResponse> {
    const lastUses = await this.usage.of(record.tenantId);
    const now = this.clock.now();
    const since = new Date(now.getTime() - (unused_days ?? 0) * DAY_MS);
    const isListed = (key: ApiKey): boolean =>
      unused_days === undefined || isUnused(key, lastUses.get(key.keyId)?.at, since, now);
    const keys = [...record.account.keys.values()].reverse().filter(isListed);
    return { keys: await Promise.all(keys.map((key) => this.shown(record, key, lastUses, withNames))) };
  }

  private async shown(
    record: AccountRecord,
    key: ApiKey,
    lastUses: ReadonlyMap<string, LastUse>,
    withNames: boolean,
  ): Promise<ApiKeyResponse> {
    const lastUse = lastUses.get(key.keyId);
    return {
      id: key.keyId,
      name: withNames ? await this.reader.open(record, record.keyNames.get(key.keyId)) : null,
      scopes: key.scopes,
      status: statusOf(key, this.clock.now().toISOString()),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      credit_cap_per_day: key.creditCapPerDay,
      allowed_addresses: key.allowedAddresses,
      revoked_at: key.revokedAt,
      successor_id: key.successorKeyId,
      last_used_at: lastUse?.at.toISOString() ?? null,
      last_used_from: lastUse?.from ?? null,
    };
  }

  private async shownOnce(record: AccountRecord, keyId: string, apiKey: string): Promise<NewApiKeyResponse> {
    const key = record.account.keys.get(keyId);
    invariant(key !== undefined, 'an issued key stands in its account');
    const name = await this.reader.open(record, record.keyNames.get(keyId));
    const { scopes, createdAt, expiresAt, creditCapPerDay, allowedAddresses } = key;
    return {
      id: keyId,
      name,
      api_key: apiKey,
      scopes,
      created_at: createdAt,
      expires_at: expiresAt,
      credit_cap_per_day: creditCapPerDay,
      allowed_addresses: allowedAddresses,
    };
  }
}
