import { inFakedTime } from '../../test/support/faked-time.js';
import { eventually, sleep } from '../../test/support/processes.js';
import { HealthProbe } from './health-probe.js';

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
    await eventually('a probe that fails', () => !health.healthy);
    fails = false;
    await eventually('one that does not', () => health.healthy);
    health.stop();
  });

  it('believes an answer that came while the probe was under way', async () => {
    let probes = 0;
    let repliedAt = 0;
    const slow = async (): Promise<never> => {
      await sleep(5);
      repliedAt = performance.now();
      throw new Error(`slow ${(probes += 1)}`);
    };
    const { health } = probing(slow, () => repliedAt);
    await eventually('some probes', () => probes > 3);
    expect(health.healthy).toBe(true);
    health.stop();
  });

  it('asks nothing of a store that answers otherwise, and asks as soon as it falls silent', async () => {
    let probes = 0;
    let judged = 0;
    let isUnresponsive = false;
    const probe = (): Promise<never> => Promise.reject(new Error(`away ${(probes += 1)}`));
    const { health } = probing(probe, () => {
      judged += 1;
      return isUnresponsive ? 0 : performance.now();
    });
    await eventually('some looks', () => judged > 5);
    expect(probes).toBe(0);
    isUnresponsive = true;
    await eventually('a probe that fails', () => !health.healthy);
    isUnresponsive = false;
    await eventually('further probes, since only one that succeeds ends a failure', () => probes > 3);
    health.stop();
  });

  it(
    'asks a busy store that falls silent within half the interval after its last answer',
    inFakedTime(async () => {
      const waitAfter = async (lastReplyAt: number): Promise<number> => {
        const began = performance.now();
        const time = (): number => performance.now() - began;
        const probed: number[] = [];
        const health = new HealthProbe({
          clock: { now: () => new Date(), monotonic: time },
          probe: () => Promise.resolve(probed.push(time())),
          lastReplyAt: () => Math.min(time(), lastReplyAt),
          renew: () => undefined,
          intervalMs: 500,
        });
        await new Promise((resolve) => setTimeout(resolve, lastReplyAt + 499));
        health.stop();
        return (probed[0] ?? Infinity) - lastReplyAt;
      };
      // Timers have whole milliseconds.
      for (const lastReplyAt of [1_010, 1_130, 1_251, 1_470])
        expect(Math.abs((await waitAfter(lastReplyAt)) - 250)).toBeLessThanOrEqual(1);
    }),
  );

  it('asks for a new connection after some failures in a row, and again after as many', async () => {
    let probes = 0;
    const { health, renewals } = probing(() => {
      probes += 1;
      if (probes === 7) health.stop();
      return Promise.reject(new Error('no'));
    });
    await eventually('seven probes', () => probes === 7);
    expect(renewals).toHaveLength(2);
  });
});
