import { Turnstile } from './turnstile.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a turnstile', () => {
  it('lets no more pass than its limit, also after failures', async () => {
    const turnstile = new Turnstile(2);
    let running = 0;
    let most = 0;
    const work = (fails: boolean) => async (): Promise<void> => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      if (fails) throw new Error('broken');
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => turnstile.pass(work(index % 3 === 0))),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    await turnstile.pass(work(false));
    expect([most, running]).toEqual([2, 0]);
  });
});
