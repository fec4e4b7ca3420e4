import { hash } from 'node:crypto';
import { type FastifyRequest } from 'fastify';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newTenantId } from '../kernel/ids.js';
import { AddressRanges } from '../kernel/address-ranges.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { MemoryRateLimiter } from '../platform/rate-limit/memory-rate-limiter.js';
import { limitsOf } from '../platform/rate-limit/rate-limiter.js';
import { identifyCaller, StrangerExhausted } from './caller.js';
import { type Authenticator, type TenantPrincipal } from './request-context.js';

const TOKEN = 'a'.repeat(43);
const PRINCIPAL: TenantPrincipal = {
  kind: 'tenant',
  tenantId: newTenantId(),
  actorId: 'HyBJKgiB',
  scopes: new Set(['billing']),
  limits: limitsOf(75),
};
const RULE = { kind: 'key', scope: 'billing' } as const;

const world = () => {
  const limiter = new MemoryRateLimiter(new ManualClock());
  const looked: string[] = [];
  const known = new Set<string>();
  const authenticator = {
    sessionTokenIn: (cookies: string) => cookies,
    noteUse: () => undefined,
    bySession: async (token: string, beforeLookUp: () => Promise<void>) => {
      if (!known.has(token)) await beforeLookUp();
      looked.push(token);
      if (token !== TOKEN) throw refuse('invalid_token');
      known.add(token);
      return PRINCIPAL;
    },
  } as unknown as Authenticator;
  const identify = async (cookie: string) => {
    const sent = { originalUrl: '/console/api/billing/credits', method: 'GET', headers: { cookie } };
    const request = { ...sent, address: '203.0.113.7' } as unknown as FastifyRequest;
    const identified = await identifyCaller(RULE, request, authenticator, limiter);
    limiter.take(identified.counter.subject, identified.counter.limits);
    return identified;
  };
  return { identify, looked };
};

describe('a caller with a session of the console', () => {
  it('has the rights of the session, and counts apart from the account and from its other sessions', async () => {
    const { caller, counter } = await world().identify(TOKEN);
    expect(caller).toBe(PRINCIPAL);
    const id = `${PRINCIPAL.tenantId}/${hash('sha256', TOKEN, 'buffer').readUInt8(0) % 4}`;
    expect(counter).toEqual({ subject: { kind: 'session', id }, limits: limitsOf(600) });
  });

  it('who guesses is looked up no more once the address has used up its limit, and keeps none out who is signed in', async () => {
    const { identify, looked } = world();
    await identify(TOKEN);
    let refusal: Error | undefined;
    for (let guess = 0; !(refusal instanceof StrangerExhausted); guess += 1) {
      expect(guess).toBeLessThan(100);
      ({ refusal } = await identify(`guess-${guess}`));
    }
    const before = looked.length;
    await identify('one more');
    expect(looked).toHaveLength(before);
    expect((await identify(TOKEN)).caller).toBe(PRINCIPAL);
  });
});

describe('a key of some addresses', () => {
  const principal = { ...PRINCIPAL, allowedAddresses: AddressRanges.of(['203.0.113.0/24']) };
  const used: string[] = [];
  const authenticator = {
    recognise: () => principal,
    isWellFormed: () => true,
    noteUse: (_: TenantPrincipal, address: string) => used.push(address),
  } as unknown as Authenticator;
  const from = (address: string | null) => {
    const headers = { 'x-api-key': 'kyc_sandbox_1' };
    const request = { originalUrl: '/billing/credits', method: 'GET', headers, address } as unknown as FastifyRequest;
    return identifyCaller(RULE, request, authenticator, new MemoryRateLimiter(new ManualClock()));
  };

  it('is refused from outside by its account’s name, counts as a stranger, and is not used', async () => {
    for (const address of ['198.51.100.1', null]) {
      const { caller, counter, refusal } = await from(address);
      expect(isRejection(refusal, 'address_not_allowed')).toBe(true);
      expect(caller).toBe(principal);
      expect(counter.subject.kind).toBe('key');
    }
    expect(used).toEqual([]);
  });

  it('works from inside, and is used', async () => {
    const { caller, counter, refusal } = await from('203.0.113.7');
    expect([caller, refusal, used]).toEqual([principal, undefined, ['203.0.113.7']]);
    expect(counter.subject.id).toBe(PRINCIPAL.tenantId);
  });
});

describe('made-up keys of one network', () => {
  it('are looked up 600 times a minute, and hinder no key that is known, and no other network', async () => {
    const limiter = new MemoryRateLimiter(new ManualClock());
    let looked = 0;
    const authenticator = {
      recognise: (apiKey: string) => (apiKey === 'known' ? PRINCIPAL : undefined),
      isWellFormed: () => true,
      noteUse: () => undefined,
      byApiKey: async (apiKey: string, beforeLookUp: () => Promise<void>) => {
        await beforeLookUp();
        looked += 1;
        if (apiKey !== 'good') throw refuse('invalid_api_key');
        return PRINCIPAL;
      },
    } as unknown as Authenticator;
    const identify = (key: string, address = '203.0.113.7') => {
      const headers = { 'x-api-key': key };
      const request = { originalUrl: '/billing/credits', method: 'GET', headers, address } as unknown as FastifyRequest;
      return identifyCaller(RULE, request, authenticator, limiter);
    };
    for (let number = 0; number < 1_000; number += 1) {
      const { refusal } = await identify(`made-up-${number}`);
      expect(refusal).toBeDefined();
    }
    expect(looked).toBe(150);
    expect((await identify('another')).refusal).toBeInstanceOf(StrangerExhausted);
    expect((await identify('known')).caller).toBe(PRINCIPAL);
    expect((await identify('good', '198.51.100.1')).caller).toBe(PRINCIPAL);
  });

  it('that are found do not count', async () => {
    const limiter = new MemoryRateLimiter(new ManualClock());
    const authenticator = {
      recognise: () => undefined,
      isWellFormed: () => true,
      noteUse: () => undefined,
      byApiKey: async (_apiKey: string, beforeLookUp: () => Promise<void>) => {
        await beforeLookUp();
        return PRINCIPAL;
      },
    } as unknown as Authenticator;
    for (let number = 0; number < 700; number += 1) {
      const headers = { 'x-api-key': `good-${number}` };
      const request = {
        originalUrl: '/x',
        method: 'GET',
        headers,
        address: '203.0.113.7',
      } as unknown as FastifyRequest;
      expect((await identifyCaller(RULE, request, authenticator, limiter)).caller).toBe(PRINCIPAL);
    }
  });
});
