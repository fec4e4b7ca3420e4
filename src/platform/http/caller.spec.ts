import { type FastifyRequest } from 'fastify';
import { type IncomingMessage } from 'node:http';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { newTenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { MemoryRateLimiter } from '../rate-limit/memory-rate-limiter.js';
import { limitsOf } from '../rate-limit/rate-limiter.js';
import { identifyCaller, StrangerExhausted } from './caller.js';
import { routedPath } from './console/console-request.js';
import { type Authenticator, type TenantPrincipal } from './request-context.js';

const TOKEN = 'a'.repeat(43);
const PRINCIPAL: TenantPrincipal = {
  kind: 'tenant',
  tenantId: newTenantId(),
  keyId: 'HyBJKgiB',
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
    knowsSession: (token: string) => known.has(token),
    bySession: (token: string) => {
      looked.push(token);
      if (token !== TOKEN) return Promise.reject(refuse('invalid_token'));
      known.add(token);
      return Promise.resolve(PRINCIPAL);
    },
  } as unknown as Authenticator;
  const identify = async (cookie: string) => {
    const raw = {} as IncomingMessage;
    routedPath('/console/api/billing/credits', raw);
    const request = { raw, method: 'GET', headers: { cookie }, address: '203.0.113.7' } as unknown as FastifyRequest;
    const identified = await identifyCaller(RULE, request, authenticator, limiter);
    limiter.take(identified.counter.subject, identified.counter.limits);
    return identified;
  };
  return { identify, looked };
};

describe('a caller with a session of the console', () => {
  it('has the rights of the session, and counts apart from the account, with its other sessions', async () => {
    const { caller, counter } = await world().identify(TOKEN);
    expect([caller, counter.subject]).toEqual([PRINCIPAL, { kind: 'session', id: PRINCIPAL.tenantId }]);
  });

  it('who guesses is looked up no more once the address has used up its limit, and keeps nobody out who is signed in', async () => {
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
