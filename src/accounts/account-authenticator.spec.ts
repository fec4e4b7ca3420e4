import { aggregatesOf } from '../../test/support/aggregates.js';
import { generateKeyPair, exportJWK, SignJWT, type JWTPayload } from 'jose';
import { ManualIndex, LegibleVault, LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { eventually } from '../../test/support/processes.js';
import { type RejectionCode } from '../kernel/contract.js';
import { type Envelope } from '../kernel/envelope.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { isRejection } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { HmacKeyedHashes } from '../platform/crypto/keyed-hashes.js';
import { pino } from 'pino';
import { AccountAuthenticator } from './account-authenticator.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { ApiKeyFactory, type IssuedApiKey } from './api-key-factory.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { type ApiKeyUsage } from './api-key-usage.js';
import { type AccountMetadata } from './domain/account-metadata.commands.js';
import {
  type AccountCommand,
  ChangeAccount,
  CreateAccount,
  ReinstateAccount,
  RevokeApiKey,
  RotateApiKey,
  SuspendAccount,
} from './domain/account.commands.js';
import { formatApiKey, parseApiKey } from './domain/api-key.js';
import { keyFinderOf } from './tokens/key-set.js';
import { type ConsoleSessions, type Session } from './sessions/console-sessions.js';
import { TokenVerifier } from './tokens/token-verifier.js';

const hashes = new HmacKeyedHashes(Buffer.alloc(32, 7));
const sealed: Envelope = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'c' };
const signing = await generateKeyPair('EdDSA', { extractable: true });
const keys = keyFinderOf({ keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'k1' }] });
const running: AccountDirectory[] = [];

/** As the gate finds out who calls. */
const caller = async ({ authenticator }: { authenticator: AccountAuthenticator }, apiKey: string) =>
  authenticator.recognise(apiKey) ?? authenticator.byApiKey(apiKey, () => Promise.resolve());

const world = async (environment: 'sandbox' | 'production' = 'sandbox', session?: Session) => {
  const store = new LiveEventStore();
  const clock = new ManualClock();
  const config = {
    environment,
    sandboxRateLimit: 75,
    tenantClaim: 'tenant_id',
    timing: { storeBudget: 20_000 },
  } as Config;
  const index = new ManualIndex();
  const owners = new ApiKeyOwners(index);
  const directory = new AccountDirectory(store, aggregatesOf(store), owners, clock, pino({ level: 'silent' }), config);
  running.push(directory);
  directory.onApplicationBootstrap();
  await eventually('the subscription', () => directory.current);
  const ledger = new AccountRepository(aggregatesOf(store, clock), new LegibleVault(), directory, {} as never, config);
  /** Another instance: what it does is known here by the subscription only. */
  const elsewhere = new AccountRepository(
    aggregatesOf(store, clock),
    new LegibleVault(),
    new AccountDirectory(store, aggregatesOf(store), new ApiKeyOwners(index), clock, pino({ level: 'silent' }), config),
    {} as never,
    config,
  );
  const uses: string[] = [];
  const usage = { note: ({ keyId }: { readonly keyId: string }) => uses.push(keyId) } as unknown as ApiKeyUsage;
  const signedIn = { find: () => Promise.resolve(session), knows: () => true } as unknown as ConsoleSessions;
  const verifier = new TokenVerifier({ issuer: 'issuer', audience: 'audience', keys }, clock);
  const authenticator = new AccountAuthenticator(directory, owners, usage, hashes, verifier, signedIn, clock, config);
  const apiKeys = new ApiKeyFactory(hashes, config);
  const metadata = (): AccountMetadata => ({
    requestId: newUuid(),
    commandId: newUuid(),
    actor: { type: 'system', id: 'test' },
    at: clock.now().toISOString(),
  });
  return { store, clock, directory, ledger, elsewhere, authenticator, apiKeys, metadata, uses, index, owners };
};

type World = Awaited<ReturnType<typeof world>>;

const openAccount = async ({ ledger, apiKeys, metadata }: World, expiresAt?: string) => {
  const tenantId = newTenantId();
  const { apiKey, ...issued } = apiKeys.create(newUuid());
  const firstKey = { ...issued, name: sealed, ...(expiresAt === undefined ? {} : { expiresAt }) };
  const { environment } = issued;
  const data = { name: 'Bank', tier: 'growth' as const, environment, contactEmail: sealed, firstKey };
  await ledger.execute(new CreateAccount<Envelope>(tenantId, data, metadata()));
  return { tenantId, apiKey, keyId: issued.keyId };
};

const refusal = async (promise: Promise<unknown>): Promise<RejectionCode | undefined> => {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (!isRejection(error)) throw error;
    return error.code;
  }
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((directory) => directory.onApplicationShutdown()));
});

describe('an API key', () => {
  it('names its account, scopes and limits', async () => {
    const here = await world('production');
    const { tenantId, apiKey, keyId } = await openAccount(here);
    const principal = await caller(here, apiKey);
    expect(principal).toMatchObject({
      kind: 'tenant',
      tenantId,
      actorId: keyId,
      limits: { perMinute: 1_500, perSecond: 375 },
    });
    expect([...principal.scopes]).toContain('eligibility');
    here.authenticator.noteUse(principal, '192.0.2.7');
    expect(here.uses).toEqual([keyId]);
  });

  it('is refused without a look-up where it is malformed or of the other environment', async () => {
    const here = await world();
    const { apiKey } = await openAccount(here);
    const parts = parseApiKey(apiKey);
    const { reads } = here.store;
    for (const text of ['', 'nonsense', `${apiKey}0`, apiKey.slice(0, -1), apiKey.replace('sandbox', 'live')]) {
      expect(await refusal(caller(here, text))).toBe('invalid_api_key');
    }
    const foreign = formatApiKey({ environment: 'production', keyId: parts?.keyId ?? '', secret: parts?.secret ?? '' });
    expect(await refusal(caller(here, foreign))).toBe('invalid_api_key');
    for (const text of ['nonsense', `${apiKey}0`, foreign]) expect(here.authenticator.isWellFormed(text)).toBe(false);
    expect(here.authenticator.isWellFormed(apiKey)).toBe(true);
    expect(here.index.lookedUpKeyIds).toEqual([]);
    expect(here.store.reads).toBe(reads);
  });

  it('is refused with a wrong secret, and with an unknown id', async () => {
    const here = await world();
    const { keyId } = await openAccount(here);
    const secret = 'A'.repeat(32);
    for (const id of [keyId, 'unknown1']) {
      const forged = formatApiKey({ environment: 'sandbox', keyId: id, secret });
      expect(await refusal(caller(here, forged))).toBe('invalid_api_key');
    }
  });

  it('is refused at once when it is revoked, also where it was in use', async () => {
    const here = await world();
    const { tenantId, apiKey, keyId } = await openAccount(here);
    await caller(here, apiKey);
    await here.ledger.execute(new RevokeApiKey(tenantId, { keyId }, here.metadata()));
    expect(await refusal(caller(here, apiKey))).toBe('expired_api_key');
  });

  it('is refused as soon as a revocation on another instance is delivered', async () => {
    const here = await world();
    const { tenantId, apiKey, keyId } = await openAccount(here);
    await caller(here, apiKey);
    await here.elsewhere.execute(new RevokeApiKey(tenantId, { keyId }, here.metadata()));
    const refused = async () => (await refusal(caller(here, apiKey))) === 'expired_api_key';
    expect(await eventually('the delivery', refused)).toBe(true);
  });

  it('is refused from its expiry on', async () => {
    const here = await world();
    const { apiKey } = await openAccount(here, new Date(here.clock.now().getTime() + 1_000).toISOString());
    here.clock.advance(999);
    expect(await refusal(caller(here, apiKey))).toBeUndefined();
    here.clock.advance(1);
    expect(await refusal(caller(here, apiKey))).toBe('expired_api_key');
  });

  it('lives on for the overlap after a rotation, beside its successor', async () => {
    const here = await world();
    const { tenantId, apiKey, keyId } = await openAccount(here);
    const { apiKey: next, ...successor } = here.apiKeys.create(newUuid());
    const data = { keyId, successor, name: sealed, overlapSeconds: 60, grantedBy: null };
    await here.ledger.execute(new RotateApiKey<Envelope>(tenantId, data, here.metadata()));
    here.clock.advance(59_999);
    expect(await refusal(caller(here, apiKey))).toBeUndefined();
    here.clock.advance(1);
    expect(await refusal(caller(here, apiKey))).toBe('expired_api_key');
    expect(await refusal(caller(here, next))).toBeUndefined();
  });

  it('is refused while its account is suspended, and good again afterwards', async () => {
    const here = await world();
    const { tenantId, apiKey } = await openAccount(here);
    await caller(here, apiKey);
    const run = (command: AccountCommand) => here.ledger.execute(command);
    await run(new SuspendAccount<Envelope>(tenantId, { reason: sealed }, here.metadata()));
    expect(await refusal(caller(here, apiKey))).toBe('account_disabled');
    await run(new ReinstateAccount<Envelope>(tenantId, { reason: null }, here.metadata()));
    expect(await refusal(caller(here, apiKey))).toBeUndefined();
  });

  it('carries an operator’s limits as soon as they are set', async () => {
    const here = await world();
    const { tenantId, apiKey } = await openAccount(here);
    expect((await caller(here, apiKey)).limits).toEqual({ perMinute: 75, perSecond: 18, planPerMinute: 1_500 });
    await here.ledger.execute(new ChangeAccount<Envelope>(tenantId, { rateLimitPerMinute: 4_000 }, here.metadata()));
    expect((await caller(here, apiKey)).limits).toEqual({ perMinute: 4_000, perSecond: 1_000 });
  });

  it('is looked up only after the gate has let a stranger pass, and is no stranger once it was verified', async () => {
    const here = await world();
    const { apiKey } = await openAccount(here);
    const stranger = formatApiKey({ environment: 'sandbox', keyId: 'unknown1', secret: 'A'.repeat(32) });
    const { reads } = here.store;
    const limitCheckedKeys: string[] = [];
    const refusing = (key: string) => () => {
      limitCheckedKeys.push(key);
      return Promise.reject(new Error('exhausted'));
    };
    expect(here.authenticator.recognise(stranger)).toBeUndefined();
    for (const key of [stranger, apiKey])
      await expect(here.authenticator.byApiKey(key, refusing(key))).rejects.toThrow('exhausted');
    expect(here.index.lookedUpKeyIds).toEqual([]);
    expect(here.store.reads).toBe(reads);
    await caller(here, apiKey);
    await here.authenticator.byApiKey(apiKey, refusing(apiKey));
    expect(limitCheckedKeys).toEqual([stranger, apiKey]);
  });

  it('costs no read once it was verified', async () => {
    const here = await world();
    const { apiKey } = await openAccount(here);
    await caller(here, apiKey);
    const { reads } = here.store;
    for (let request = 0; request < 100; request += 1) await caller(here, apiKey);
    expect(here.store.reads).toBe(reads);
  });

  it('belongs to the account whose secret it holds, where two accounts share its id', async () => {
    const here = await world();
    const keyId = 'sameid00';
    const open = async (secret: string) => {
      const tenantId = newTenantId();
      const secretHash = hashes.apiKeySecret(secret).toString('hex');
      const firstKey: Omit<IssuedApiKey, 'apiKey'> = { keyId, environment: 'sandbox', secretHash };
      const data = { name: 'Bank', tier: 'starter' as const, environment: 'sandbox', contactEmail: sealed };
      const command = { ...data, firstKey: { ...firstKey, name: sealed } };
      await here.ledger.execute(new CreateAccount<Envelope>(tenantId, command, here.metadata()));
      return { tenantId, apiKey: formatApiKey({ environment: 'sandbox', keyId, secret }) };
    };
    for (const { tenantId, apiKey } of [await open('A'.repeat(32)), await open('B'.repeat(32))]) {
      expect((await caller(here, apiKey)).tenantId).toBe(tenantId);
    }
  });
});

describe('a bearer token', () => {
  const tokenOf = (here: World, claims: JWTPayload) =>
    new SignJWT({
      iss: 'issuer',
      aud: 'audience',
      sub: 'someone',
      exp: here.clock.now().getTime() / 1_000 + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k1' })
      .sign(signing.privateKey);

  it('names an account with its limits, and a subject only as a keyed hash', async () => {
    const here = await world();
    const { tenantId } = await openAccount(here);
    const token = await tokenOf(here, { tenant_id: tenantId, scope: 'openid credentials:issue' });
    const principal = await here.authenticator.byToken(token, 'token');
    expect(principal).toEqual({
      kind: 'bearer',
      tenantId,
      subjectHash: hashes.actor('someone'),
      tokenScopes: new Set(['openid', 'credentials:issue']),
      scopeClaims: ['scope', 'scp'],
      limits: { perMinute: 75, perSecond: 18, planPerMinute: 1_500 },
    });
  });

  it('is refused where it names no account, one that does not exist, or a suspended one', async () => {
    const here = await world();
    const { tenantId } = await openAccount(here);
    await here.ledger.execute(new SuspendAccount<Envelope>(tenantId, { reason: sealed }, here.metadata()));
    const cases = [
      [{}, 'invalid_token'],
      [{ tenant_id: 'nobody' }, 'invalid_token'],
      [{ tenant_id: newTenantId() }, 'invalid_token'],
      [{ tenant_id: tenantId }, 'account_disabled'],
    ] as const;
    for (const [claims, code] of cases) {
      expect(await refusal(here.authenticator.byToken(await tokenOf(here, claims), 'token'))).toBe(code);
    }
  });

  it('makes an operator with the roles that the service knows', async () => {
    const here = await world();
    const token = await tokenOf(here, { roles: ['admin', 'janitor'] });
    const operator = {
      kind: 'operator',
      subject: 'someone',
      subjectHash: hashes.actor('someone'),
      roles: new Set(['admin']),
    };
    expect(await here.authenticator.byToken(token, 'role')).toEqual(operator);
    const without = await here.authenticator.byToken(await tokenOf(here, {}), 'role');
    expect(without).toMatchObject({ kind: 'operator', roles: new Set() });
  });
});

describe('a session of the console', () => {
  const never = (): Promise<void> => Promise.reject(new Error('known tokens are not counted'));

  it('is over where nobody is signed in by it', async () => {
    expect(await refusal((await world()).authenticator.bySession('token', never))).toBe('invalid_token');
  });

  it('of the demo account ends with the development provider, whatever its role', async () => {
    const operator = { kind: 'operator', subject: 'development-console', roles: ['admin'] } as const;
    const here = await world('sandbox', { principal: operator, isDemo: true });
    expect(await refusal(here.authenticator.bySession('token', never))).toBe('invalid_token');
    const other = await world('sandbox', { principal: operator, isDemo: false });
    expect(await other.authenticator.bySession('token', never)).toMatchObject({ kind: 'operator' });
  });
});
