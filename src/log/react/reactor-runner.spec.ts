import { type ReactorStatus } from './reactor-follower.js';
import { healthOf } from './reactor-runner.js';

const status = (part: Partial<ReactorStatus>): ReactorStatus => ({
  reactor: 'orders',
  state: 'live',
  position: 1n,
  lagSeconds: 0,
  ...part,
});

describe('the health of a reactor', () => {
  it('is up while it is live, or follows another instance', () => {
    expect(healthOf(status({}), 0)).toBe('up');
    expect(healthOf(status({ state: 'standby', position: undefined }), 0)).toBe('up');
  });

  it('is degraded while it lags, stands still or has parked events', () => {
    expect(healthOf(status({ lagSeconds: 61 }), 0)).toBe('degraded');
    expect(healthOf(status({ state: 'waiting' }), 0)).toBe('degraded');
    expect(healthOf(status({ state: 'superseded' }), 0)).toBe('degraded');
    expect(healthOf(status({}), 1)).toBe('degraded');
  });
});
