import { type ProjectionStatus } from './member.js';
import { healthOf } from './health.js';

const status = (part: Partial<ProjectionStatus>): ProjectionStatus => ({
  projection: 'balances',
  state: 'live',
  position: 1n,
  eventsPerSecond: 0,
  lagSeconds: 0,
  ...part,
});

describe('the health of projections', () => {
  it('is up while they are live, or follow another instance', () =>
    expect(healthOf([status({}), status({ state: 'standby', position: undefined })])).toBe('up'));
  it('is degraded while one lags or waits for a store', () => {
    expect(healthOf([status({}), status({ state: 'catching_up', lagSeconds: 31 })])).toBe('degraded');
    expect(healthOf([status({ state: 'waiting' })])).toBe('degraded');
  });
  it('is down where rows stand still', () => {
    expect(healthOf([status({ state: 'failed' }), status({ state: 'waiting' })])).toBe('down');
    expect(healthOf([status({ state: 'superseded' })])).toBe('down');
  });
});
