import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { Unavailable } from './unavailable.js';

const failing = (error: Error, times: number) => {
  const state = { tries: 0 };
  const step = (): Promise<string> => {
    state.tries += 1;
    return state.tries <= times ? Promise.reject(error) : Promise.resolve('done');
  };
  return { state, step };
};

describe('patience', () => {
  it('repeats a step while a store is out of reach', async () => {
    const { state, step } = failing(new Unavailable('postgres'), 2);
    expect(await retryWhileUnavailable(step, Infinity)).toBe('done');
    expect(state.tries).toBe(3);
  });

  it('ends with its time', async () => {
    const { step } = failing(new Unavailable('postgres'), Infinity);
    await expect(retryWhileUnavailable(step, 300)).rejects.toThrow(Unavailable);
  });

  it('ends with the signal', async () => {
    const { step } = failing(new Unavailable('postgres'), Infinity);
    const stopping = new AbortController();
    const ended = retryWhileUnavailable(step, Infinity, stopping.signal);
    stopping.abort();
    await expect(ended).rejects.toThrow('aborted');
  });

  it.each([[new Error('a bug')], [new TypeError('fetch failed')]])('is none with %s', async (error) => {
    const { state, step } = failing(error, 1);
    await expect(retryWhileUnavailable(step)).rejects.toBe(error);
    expect(state.tries).toBe(1);
  });
});
