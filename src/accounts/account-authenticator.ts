import { LRUCache } from 'lru-cache';
import { type Limits } from '../kernel/rate-limits.js';
import { Inject, Injectable } from '@nestjs/common';
import { hash, timingSafeEqual } from 'node:crypto';
import { type Clock } from '../kernel/clock.js';
import { AddressRanges } from '../kernel/address-ranges.js';
import { isTenantId, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { type Scope } from '../kernel/scopes.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import {
  Authenticator,
  type BearerPrincipal,
  type OperatorPrincipal,
  type Role,
  ROLES,
  type TenantPrincipal,
} from '../http/request-context.js';
import { isSecureConsole, sessionTokenIn } from '../http/console/console-request.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord } from './domain/account-record.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { type ApiKeyParts, faultOfApiKey, parseApiKey } from './domain/api-key.js';
import { capsOf } from './domain/key-grants.js';
import { RIGHTS } from './domain/member-roles.js';
import { effectiveLimits, type LimitedAccount } from './domain/limits.js';
import { ConsoleSessions, type MemberSession } from './sessions/console-sessions.js';
import { TokenVerifier, type VerifiedToken } from './tokens/token-verifier.js';

/** Most verified keys kept in memory. A new one evicts the one added first. */
const MAX_VERIFIED = 50_000;

/** A key with a correct secret, and its principal as of one revision of the account's stream. */
interface VerifiedKey {
  readonly tenantId: TenantId;
  readonly keyId: string;
  readonly revision: bigint;
  readonly principal: TenantPrincipal;
  /** Milliseconds since 1970. Infinity if the key does not expire. */
  readonly expiresAt: number;
}

const digestOf = (apiKey: string): string => hash('sha256', apiKey, 'base64');

/**
 * Says who the caller is. A key's secret is hashed under the pepper once. Later requests find the key by its text's
 * SHA-256. This holds as long as the account's stream has the same revision.
 */
@Injectable()
export class AccountAuthenticator extends Authenticator {
  private readonly verified = new LRUCache<string, VerifiedKey>({ max: MAX_VERIFIED });

  constructor(
    private readonly directory: AccountDirectory,
    private readonly owners: ApiKeyOwners,
    private readonly usage: ApiKeyUsage,
    private readonly hashes: KeyedHashes,
    private readonly tokens: TokenVerifier,
    private readonly sessions: ConsoleSessions,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  override recognise(apiKey: string): TenantPrincipal | undefined {
    const known = this.verified.get(digestOf(apiKey));
    return known !== undefined && this.stillHolds(known) ? this.present(known) : undefined;
  }

  override isWellFormed(apiKey: string): boolean {
    return this.partsOf(apiKey) !== undefined;
  }

  override async byApiKey(apiKey: string, beforeLookUp: () => Promise<void>): Promise<TenantPrincipal> {
    const parts = this.partsOf(apiKey);
    if (parts === undefined)
      throw refuse('invalid_api_key', { detail: faultOfApiKey(apiKey, this.config.environment) });
    const digest = digestOf(apiKey);
    if (!this.verified.has(digest)) await beforeLookUp();
    const verified = await this.verify(parts);
    this.remember(digest, verified);
    return this.present(verified);
  }

  override async byToken(token: string, wanted: 'token' | 'role'): Promise<BearerPrincipal | OperatorPrincipal> {
    const verified = await this.tokens.verify(token);
    return wanted === 'role' ? this.operator(verified) : this.bearer(verified);
  }

  override noteUse({ tenantId, actorId: keyId }: TenantPrincipal, address: string | null): void {
    this.usage.note({ tenantId, keyId, usedAt: this.clock.now().getTime(), address });
  }

  override sessionTokenIn(cookies: string | undefined): string | undefined {
    return sessionTokenIn(cookies, isSecureConsole(this.config));
  }

  override async bySession(
    token: string,
    beforeLookUp: () => Promise<void>,
    isUse = true,
  ): Promise<TenantPrincipal | OperatorPrincipal> {
    if (!this.sessions.knows(token)) await beforeLookUp();
    const session = await this.sessions.find(token, isUse);
    const isForgotten = session === undefined || (session.isDemo && !this.config.developmentProvider);
    if (isForgotten) throw refuse('invalid_token', { detail: 'The session has ended: sign in again' });
    const { principal } = session;
    if (principal.kind === 'operator') return this.operator(principal);
    const record = await this.directory.find(principal.tenantId);
    if (record === undefined) throw refuse('account_disabled');
    if (principal.kind === 'member') return this.member(record, principal);
    return this.present(this.judge(record, principal.keyId));
  }

  private partsOf(apiKey: string): ApiKeyParts | undefined {
    const parts = parseApiKey(apiKey);
    return parts?.environment === this.config.environment ? parts : undefined;
  }

  private present({ expiresAt, principal }: VerifiedKey): TenantPrincipal {
    if (expiresAt <= this.clock.now().getTime()) throw refuse('expired_api_key');
    return principal;
  }

  private stillHolds({ tenantId, revision }: VerifiedKey): boolean {
    return this.directory.trusted(tenantId)?.revision === revision;
  }

  private async verify({ keyId, secret }: ApiKeyParts): Promise<VerifiedKey> {
    const secretHash = this.hashes.apiKeySecret(secret);
    const record =
      (await this.ownerOf(keyId, secretHash, this.owners.known(keyId))) ??
      (await this.ownerOf(keyId, secretHash, await this.owners.lookUp(keyId)));
    if (record === undefined) throw refuse('invalid_api_key');
    return this.judge(record, keyId);
  }

  /** The account that owns the key with this id and secret. Several accounts may share a key id. */
  private async ownerOf(
    keyId: string,
    secretHash: Buffer,
    candidates: readonly TenantId[],
  ): Promise<AccountRecord | undefined> {
    for (const tenantId of candidates) {
      const record = await this.directory.find(tenantId);
      const stored = record?.account.keys.get(keyId)?.secretHash;
      if (stored !== undefined && timingSafeEqual(Buffer.from(stored, 'hex'), secretHash)) return record;
    }
    return undefined;
  }

  private judge(record: AccountRecord, keyId: string): VerifiedKey {
    const { tenantId, account, revision } = record;
    const key = account.keys.get(keyId);
    if (key === undefined || key.environment !== this.config.environment) throw refuse('invalid_api_key');
    if (key.revokedAt !== null) throw refuse('expired_api_key');
    const expiresAt = key.expiresAt === null ? Infinity : Date.parse(key.expiresAt);
    if (expiresAt <= this.clock.now().getTime()) throw refuse('expired_api_key');
    if (account.status !== 'active') throw refuse('account_disabled');
    const limits = this.limitsOf(account);
    const scopes = new Set(key.scopes as readonly Scope[]);
    const [caps, { allowedAddresses }] = [capsOf(account, key), key];
    const principal: TenantPrincipal = {
      kind: 'tenant',
      tenantId,
      actorId: keyId,
      scopes,
      limits,
      ...(caps.length === 0 ? {} : { caps }),
      ...(allowedAddresses.length === 0 ? {} : { allowedAddresses: AddressRanges.of(allowedAddresses) }),
    };
    return { tenantId, keyId, revision, expiresAt, principal };
  }

  /** With the rights of the role that the member has now. */
  private member({ tenantId, account }: AccountRecord, { memberId, credentialId }: MemberSession): TenantPrincipal {
    const member = account.members.get(memberId);
    if (member?.status !== 'active') throw refuse('invalid_token', { detail: 'The member was removed' });
    const isEnded = credentialId !== undefined && member.passkeys.every((each) => each.credentialId !== credentialId);
    if (isEnded) throw refuse('invalid_token', { detail: 'The passkey of this session was removed: sign in again' });
    if (account.status !== 'active') throw refuse('account_disabled');
    const { scopes, reads } = RIGHTS[member.role];
    const rights = { scopes: new Set(scopes), reads: new Set(reads) };
    return { kind: 'tenant', tenantId, actorId: memberId, ...rights, limits: this.limitsOf(account) };
  }

  private limitsOf(account: LimitedAccount): Limits {
    const { environment, sandboxRateLimit } = this.config;
    return effectiveLimits(account, { environment, sandboxRateLimit });
  }

  private remember(digest: string, verified: VerifiedKey): void {
    this.verified.delete(digest);
    this.verified.set(digest, verified);
  }

  private operator({ subject, roles }: Pick<VerifiedToken, 'subject' | 'roles'>): OperatorPrincipal {
    const known = roles.filter((role): role is Role => (ROLES as readonly string[]).includes(role));
    return { kind: 'operator', subject, subjectHash: this.hashes.actor(subject), roles: new Set(known) };
  }

  private async bearer({ subject, scopes, scopeClaims, claims }: VerifiedToken): Promise<BearerPrincipal> {
    const tenantId = claims[this.config.tenantClaim];
    if (typeof tenantId !== 'string' || !isTenantId(tenantId)) {
      throw refuse('invalid_token', { detail: `The token names no account in the claim ${this.config.tenantClaim}.` });
    }
    const record = await this.directory.find(tenantId);
    if (record === undefined) throw refuse('invalid_token', { detail: 'The token names no account.' });
    if (record.account.status !== 'active') throw refuse('account_disabled');
    const limits = this.limitsOf(record.account);
    const subjectHash = this.hashes.actor(subject);
    return { kind: 'bearer', tenantId, subjectHash, tokenScopes: scopes, scopeClaims, limits };
  }
}
