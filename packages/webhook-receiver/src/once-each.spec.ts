import { OnceEach } from './once-each.js';

describe('handling each event once', () => {
  it('lets a duplicate wait for the first delivery, and fail as it fails', async () => {
    const onceEach = new OnceEach();
    let fail: (error: Error) => void = () => undefined;
    let tries = 0;
    const work = (): Promise<void> => {
      tries += 1;
      return new Promise((_, reject) => (fail = reject));
    };
    const both = [onceEach.run('a', work), onceEach.run('a', work)];
    fail(new Error('no'));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(tries).toBe(1);
    expect(await onceEach.run('a', () => Promise.resolve())).toBe(true);
  });

  it('remembers as many as it is told, and forgets the oldest', async () => {
    const onceEach = new OnceEach(2);
    const run = (id: string): Promise<boolean> => onceEach.run(id, () => Promise.resolve());
    expect([await run('a'), await run('b'), await run('b'), await run('c'), await run('c')]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(await run('a')).toBe(true);
  });
});
