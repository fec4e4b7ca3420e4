import { forEachDue } from './for-each-due.js';
import { PAGE } from '../../kernel/paginate.js';

const all = Array.from({ length: PAGE + 2 }, (_, index) => index);
const find = (last: number | undefined, limit: number): Promise<readonly number[]> =>
  Promise.resolve(all.slice(last === undefined ? 0 : last + 1).slice(0, limit));

describe('work on all that is due', () => {
  it('goes on behind what fails, on every page, and tells the first fault at the end', async () => {
    const done: number[] = [];
    const work = (due: number): Promise<void> => {
      if (due === 0 || due === PAGE) return Promise.reject(new Error(`not ${due}`));
      done.push(due);
      return Promise.resolve();
    };
    await expect(forEachDue(find, work, { concurrency: 2, signal: undefined })).rejects.toThrow('not 0');
    expect(done.length).toBe(PAGE);
    expect(done.at(-1)).toBe(PAGE + 1);
  });

  it('begins nothing more once it is to stop', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    const work = (due: number): Promise<void> => {
      if (done.push(due) === 3) stop.abort();
      return Promise.resolve();
    };
    await forEachDue(find, work, { concurrency: 1, signal: stop.signal });
    expect(done).toEqual([0, 1, 2]);
  });
});
