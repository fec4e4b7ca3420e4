import { effectiveLimits, type LimitedAccount } from './limits.js';
import { noBilling } from './subscription.js';

const account = (changed: Partial<LimitedAccount> = {}): LimitedAccount => ({
  tier: 'starter',
  billing: noBilling,
  rateLimitPerMinute: null,
  burstPerSecond: null,
  ...changed,
});

const PRODUCTION = { environment: 'production', sandboxRateLimit: 75 };
const SANDBOX = { environment: 'sandbox', sandboxRateLimit: 75 };

describe('the limits of an account', () => {
  it('are those of the deployment in a sandbox that is loaded on purpose', () =>
    expect(effectiveLimits(account(), { ...SANDBOX, sandboxRateLimit: 4_000 })).toMatchObject({ perMinute: 4_000 }));

  it.each([
    ['starter', 300, 75],
    ['growth', 1_500, 375],
    ['enterprise', 6_000, 1_500],
  ] as const)('are those of its tier: %s', (tier, perMinute, perSecond) =>
    expect(effectiveLimits(account({ tier }), PRODUCTION)).toEqual({ perMinute, perSecond }),
  );
  it('are 75 a minute in a sandbox deployment, whatever the tier', () =>
    expect(effectiveLimits(account({ tier: 'enterprise' }), SANDBOX)).toEqual({
      perMinute: 75,
      perSecond: 18,
      planPerMinute: 6_000,
    }));
  it('are an operator’s where one has set them, in the sandbox too', () =>
    expect(effectiveLimits(account({ rateLimitPerMinute: 1_000_000 }), SANDBOX)).toEqual({
      perMinute: 1_000_000,
      perSecond: 250_000,
    }));
  it('never let a burst default fall below 10 a second', () =>
    expect(effectiveLimits(account({ rateLimitPerMinute: 4 }), PRODUCTION).perSecond).toBe(10));
  it('take a burst that is set as it is', () =>
    expect(effectiveLimits(account({ burstPerSecond: 3 }), PRODUCTION).perSecond).toBe(3));
});
