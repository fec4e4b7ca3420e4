import { effectiveLimits, type LimitedAccount } from './limits.js';
import { noBilling } from './subscription.js';

const account = (changed: Partial<LimitedAccount> = {}): LimitedAccount => ({
  tier: 'starter',
  billing: noBilling,
  rateLimitPerMinute: null,
  burstPerSecond: null,
  ...changed,
});

describe('the limits of an account', () => {
  it.each([
    ['starter', 300, 75],
    ['growth', 1_500, 375],
    ['enterprise', 6_000, 1_500],
  ] as const)('are those of its tier: %s', (tier, perMinute, perSecond) =>
    expect(effectiveLimits(account({ tier }), 'production')).toEqual({ perMinute, perSecond }),
  );
  it('are 75 a minute in a sandbox deployment, whatever the tier', () =>
    expect(effectiveLimits(account({ tier: 'enterprise' }), 'sandbox')).toEqual({ perMinute: 75, perSecond: 18 }));
  it('are an operator’s where one has set them, in the sandbox too', () =>
    expect(effectiveLimits(account({ rateLimitPerMinute: 1_000_000 }), 'sandbox')).toEqual({
      perMinute: 1_000_000,
      perSecond: 250_000,
    }));
  it('never let a burst default fall below 10 a second', () =>
    expect(effectiveLimits(account({ rateLimitPerMinute: 4 }), 'production').perSecond).toBe(10));
  it('take a burst that is set as it is', () =>
    expect(effectiveLimits(account({ burstPerSecond: 3 }), 'production').perSecond).toBe(3));
});
