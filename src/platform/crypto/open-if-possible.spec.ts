import { Unavailable } from '../../kernel/unavailable.js';
import { eachIfPossible } from './open-if-possible.js';

const away = new Unavailable('keys');

const openAll = (...results: readonly (string | undefined | Error)[]): Promise<readonly string[]> =>
  eachIfPossible(results, (result) => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)));

describe('the data of several owners', () => {
  it('is what opens, without what was erased and what has no key', async () => {
    expect(await openAll('a', away, undefined, 'b')).toEqual(['a', 'b']);
    expect(await openAll(undefined)).toEqual([]);
    expect(await openAll()).toEqual([]);
  });

  it('is not known where nothing opens and a key is away', async () => {
    await expect(openAll(undefined, away)).rejects.toBe(away);
  });

  it('waits for a store that is away', async () => {
    await expect(openAll('a', new Unavailable('postgres'))).rejects.toMatchObject({ part: 'postgres' });
  });
});
