import { HealthProbe } from './health-probe.js';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const probing = (probe: () => Promise<unknown>, lastReplyAt: () => number = () => 0) => {
  const renewals: number[] = [];
  const clock = { now: () => new Date(), monotonic: () => performance.now() };
  const renew = (): void => void renewals.push(performance.now());
  return { renewals, health: new HealthProbe({ clock, probe, lastReplyAt, renew, intervalMs: 5, renewAfter: 3 }) };
};

describe('the health probe', () => {
  it('calls the store unhealthy while a probe fails, and healthy again after one that does not', async () => {
    let fails = true;
    const { health } = probing(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve()));
    expect(health.healthy).toBe(true);
    await sleep(60);
    expect(health.healthy).toBe(false);
    fails = false;
    await sleep(60);
    expect(health.healthy).toBe(true);
    health.stop();
  });

  it('believes an answer that came while the probe was under way', async () => {
    const { health } = probing(
      () => sleep(5).then(() => Promise.reject(new Error('slow'))),
      () => performance.now(),
    );
    await sleep(60);
    expect(health.healthy).toBe(true);
    health.stop();
  });

  it('asks for a new connection after some failures in a row, and again after as many', async () => {
    let probes = 0;
    const { health, renewals } = probing(() => {
      probes += 1;
      return Promise.reject(new Error('no'));
    });
    while (probes < 7) await sleep(5);
    health.stop();
    await sleep(10);
    expect(renewals).toHaveLength(2);
  });
});
