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
import { ApiKeyUsage } from '../api-key-usage.js';
import { IssueApiKey, RevokeApiKey, RotateApiKey } from '../domain/account.commands.js';
import { type ApiKey, isLive } from '../domain/account.js';
import {
  type ApiKeyResponse,
  type ApiKeysResponse,
  type CreateApiKeyBody,
  type NewApiKeyResponse,
} from './api-key.dto.js';
import { metadataOf, effectIdOf, type ManagementContext } from './command-metadata.js';

const statusOf = (key: ApiKey, now: string): string => {
  if (key.revokedAt !== null) return 'revoked';
  return isLive(key, now) ? 'active' : 'expired';
};

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
    { name, scopes, expires_at }: CreateApiKeyBody,
    grantedBy: string | null,
    context: ManagementContext,
  ): Promise<NewApiKeyResponse> {
    const { apiKey, keyId, environment, secretHash } = this.apiKeys.create(effectIdOf(context, 'api_key'));
    const wanted = {
      ...(scopes === undefined ? {} : { scopes }),
      ...(expires_at === undefined ? {} : { expiresAt: expires_at.toISOString() }),
    };
    const key = { keyId, environment, secretHash, name, ...wanted };
    const command = new IssueApiKey(tenantId, { key, grantedBy }, metadataOf(context, this.clock));
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
    const command = new RotateApiKey(tenantId, data, metadataOf(context, this.clock));
    const { record, changes } = await this.commands.execute(command);
    noteChanges(context, changes);
    return this.shownOnce(record, issued.keyId, apiKey);
  }

  async revoke(tenantId: TenantId, keyId: string, context: ManagementContext): Promise<void> {
    const command = new RevokeApiKey(tenantId, { keyId }, metadataOf(context, this.clock));
    noteChanges(context, (await this.commands.execute(command)).changes);
  }

  /** Newest first. Names are the tenant's free text and are left out if `withNames` is false. */
  async list(record: AccountRecord, withNames: boolean): Promise<ApiKeysResponse> {
    const lastUsed = await this.usage.of(record.tenantId);
    const now = this.clock.now().toISOString();
    const answers = [...record.account.keys.values()].reverse().map(async (key): Promise<ApiKeyResponse> => ({
      id: key.keyId,
      name: withNames ? await this.reader.open(record, record.keyNames.get(key.keyId)) : null,
      scopes: key.scopes,
      status: statusOf(key, now),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      successor_id: key.successorKeyId,
      last_used_at: lastUsed.get(key.keyId)?.toISOString() ?? null,
    }));
    return { keys: await Promise.all(answers) };
  }

  private async shownOnce(record: AccountRecord, keyId: string, apiKey: string): Promise<NewApiKeyResponse> {
    const key = record.account.keys.get(keyId);
    invariant(key !== undefined, 'an issued key stands in its account');
    const name = await this.reader.open(record, record.keyNames.get(keyId));
    const { scopes, createdAt, expiresAt } = key;
    return { id: keyId, name, api_key: apiKey, scopes, created_at: createdAt, expires_at: expiresAt };
  }
}
