import { ahead } from './ahead.js';

const numbers = async function* (log: string[], failAt = Infinity): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= 3; number += 1) {
      await Promise.resolve();
      if (number === failAt) throw new Error('broken');
      log.push(`made ${number}`);
      yield number;
    }
  } finally {
    log.push('closed');
  }
};

const taken = async (values: AsyncIterable<number>, log: string[]): Promise<number[]> => {
  const all: number[] = [];
  for await (const value of values) {
    all.push(value);
    await new Promise(setImmediate);
    log.push(`done ${value}`);
  }
  return all;
};

describe('values fetched ahead', () => {
  it('come in order, each made while the one before is worked on', async () => {
    const log: string[] = [];
    expect(await taken(ahead(numbers(log)), log)).toEqual([1, 2, 3]);
    expect(log).toEqual(['made 1', 'made 2', 'done 1', 'made 3', 'done 2', 'closed', 'done 3']);
  });

  it('end with the failure of their source, after the values before it', async () => {
    const log: string[] = [];
    await expect(taken(ahead(numbers(log, 3)), log)).rejects.toThrow('broken');
    expect(log.filter((line) => line.startsWith('done'))).toEqual(['done 1', 'done 2']);
  });

  it('let go of their source where the reader stops', async () => {
    const log: string[] = [];
    for await (const value of ahead(numbers(log, 2))) if (value === 1) break;
    expect(log.at(-1)).toBe('closed');
  });
});
