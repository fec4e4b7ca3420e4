import { createHmac } from 'node:crypto';
import { type RejectionCode } from '../../src/kernel/contract.js';
import { type DeductionState, Deductions } from '../../src/kernel/charging.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { refuse } from '../../src/kernel/rejection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import {
  type DataKey,
  type Envelope,
  ERASED,
  KeyedHashes,
  type Place,
  Vault,
} from '../../src/platform/crypto/vault.js';
import { type Conclusion, type OpenAct, type OperatorAction, OperatorTrail } from '../../src/http/operator-trail.js';
import {
  Authenticator,
  type BearerPrincipal,
  type OperatorPrincipal,
  type TenantPrincipal,
} from '../../src/http/request-context.js';
import { limitsOf } from '../../src/platform/rate-limit/rate-limiter.js';

export const TENANT = 't01arz3ndektsv4rrffq69g5fav' as TenantId;
export const OTHER_TENANT = 't01arz3ndektsv4rrffq69g5faw' as TenantId;

const tenant = (
  tenantId: TenantId,
  scopes: TenantPrincipal['scopes'],
  perMinute = 1_000_000,
  keyId = `key-of-${tenantId}`,
): TenantPrincipal => ({
  kind: 'tenant',
  tenantId,
  actorId: keyId,
  scopes,
  limits: limitsOf(perMinute),
});

const KEYS: Readonly<Record<string, TenantPrincipal>> = {
  good: tenant(TENANT, new Set(['ingest', 'eligibility', 'billing'])),
  unmet: tenant(OTHER_TENANT, new Set(['ingest'])),
  second: tenant(TENANT, new Set(['ingest', 'eligibility']), 1_000_000, 'second-key'),
  other: tenant(OTHER_TENANT, new Set(['ingest', 'eligibility'])),
  narrow: tenant(TENANT, new Set(['webhooks'])),
  slow: tenant('t01arz3ndektsv4rrffq69g5fax' as TenantId, new Set(['ingest']), 75),
};
const KEY_REFUSALS: Readonly<Record<string, RejectionCode>> = {
  expired: 'expired_api_key',
  suspended: 'account_disabled',
};

export class TestOperatorTrail extends OperatorTrail {
  readonly recorded: OperatorAction[] = [];
  readonly concluded: (readonly [string, Conclusion])[] = [];
  fails = false;
  failsToConclude = false;
  /** Milliseconds that the record of an outcome takes. */
  concludesIn = 0;

  override record(action: OperatorAction): Promise<OpenAct> {
    if (this.fails) return Promise.reject(new Unavailable('event_store'));
    this.recorded.push(action);
    return Promise.resolve({ actId: String(this.recorded.length), action });
  }

  override async conclude(act: OpenAct, conclusion: Conclusion): Promise<void> {
    if (this.failsToConclude) throw new Unavailable('event_store');
    if (this.concludesIn > 0) await new Promise((resolve) => setTimeout(resolve, this.concludesIn));
    this.concluded.push([act.action.action, conclusion]);
  }
}

export class TestAuthenticator extends Authenticator {
  lookUps = 0;

  /** The keys that this instance has met. */
  override recognise(apiKey: string): TenantPrincipal | undefined {
    return apiKey === 'good' || apiKey === 'other' ? KEYS[apiKey] : undefined;
  }

  override isWellFormed(apiKey: string): boolean {
    return !apiKey.startsWith('junk');
  }

  override async byApiKey(apiKey: string, beforeLookUp: () => Promise<void>): Promise<TenantPrincipal> {
    if (!this.isWellFormed(apiKey)) throw refuse('invalid_api_key');
    await beforeLookUp();
    this.lookUps += 1;
    return this.lookUp(apiKey);
  }

  private lookUp(apiKey: string): Promise<TenantPrincipal> {
    if (apiKey === 'store-down') return Promise.reject(new Unavailable('event_store'));
    const principal = KEYS[apiKey];
    return principal === undefined
      ? Promise.reject(refuse(KEY_REFUSALS[apiKey] ?? 'invalid_api_key'))
      : Promise.resolve(principal);
  }

  override noteUse(): void {
    // No test looks at it.
  }

  override sessionTokenIn(): undefined {
    return undefined;
  }

  override bySession(): Promise<TenantPrincipal> {
    return Promise.reject(refuse('invalid_token'));
  }

  override byToken(token: string, wanted: 'token' | 'role'): Promise<BearerPrincipal | OperatorPrincipal> {
    if (token.startsWith('bad')) return Promise.reject(refuse('invalid_token'));
    if (wanted === 'role')
      return Promise.resolve({
        kind: 'operator',
        subject: token,
        subjectHash: token,
        roles: new Set([token as 'admin']),
      });
    const tokenScopes = new Set(token === 'issuer' ? ['credentials:issue'] : []);
    return Promise.resolve({
      kind: 'bearer',
      scopeClaims: ['scope'],
      tenantId: TENANT,
      subjectHash: 'subject',
      tokenScopes,
      limits: limitsOf(10_000),
    });
  }
}

/** Answers what tests say of deductions; unknown where they say nothing. */
export class TestDeductions extends Deductions {
  readonly states = new Map<string, DeductionState>();
  default: DeductionState = 'unknown';
  /** Answers instead, where it is set. */
  ledger: Deductions | undefined;

  override stateOf(tenantId: TenantId, deductionId: string, after: bigint): Promise<DeductionState> {
    const answer = this.states.get(deductionId) ?? this.default;
    return this.ledger?.stateOf(tenantId, deductionId, after) ?? Promise.resolve(answer);
  }

  override reached(tenantId: TenantId): Promise<bigint> {
    return this.ledger?.reached(tenantId) ?? Promise.resolve(-1n);
  }
}

const hmac = (label: string, text: string): Buffer => createHmac('sha256', label).update(text).digest();

export class TestHashes extends KeyedHashes {
  override identityHash = (email: string, phone: string): string =>
    hmac('identity', `${email}\0${phone}`).toString('hex');
  override auditSubject = (tenantId: string, identityHash: string): string =>
    hmac(tenantId, identityHash).toString('hex', 0, 16);
  override identityId = (tenantId: string, email: string): string =>
    `idn_${hmac(tenantId, email).toString('hex', 0, 16)}`;
  override phone = (phone: string): string => hmac('phone', phone).toString('hex');
  override apiKeySecret = (secret: string): Buffer => hmac('pepper', secret);
  override actor = (name: string): string => hmac('actor', name).toString('hex', 0, 16);
  override link = (text: string): Buffer => hmac('link', text);
  override idempotency = (text: string): string => hmac('idempotency', text).toString('hex');
  override leafSalt = (eventId: string): Buffer => hmac('leaf-salt', eventId);
  override screening = (text: string): string => hmac('screening', text).toString('hex');
}

/** Seals reversibly, but bound to the place as the real one is; keys can be destroyed. */
export class TestVault extends Vault {
  readonly destroyed = new Set<string>();

  override tenantKey = (tenantId: TenantId): Promise<DataKey> => Promise.resolve({ id: `tenant-${tenantId}` });
  override subjectKey = (tenantId: TenantId, identityId: string): Promise<DataKey> =>
    Promise.resolve({ id: `subject-${tenantId}-${identityId}` });
  override answerKey = (tenantId: TenantId, email: string): Promise<DataKey> => this.subjectKey(tenantId, email);
  override seal = (key: DataKey, place: Place, value: unknown): Envelope => ({
    v: 1,
    alg: 'A256GCM',
    key: key.id,
    iv: '',
    ct: Buffer.from(JSON.stringify([place, value])).toString('base64url'),
  });
  override open = (place: Place, envelope: Envelope): Promise<unknown> => {
    if (this.destroyed.has(envelope.key)) return Promise.resolve(ERASED);
    const [sealedPlace, value] = JSON.parse(Buffer.from(envelope.ct, 'base64url').toString()) as [Place, unknown];
    expect(sealedPlace).toEqual(place);
    return Promise.resolve(value);
  };
}
