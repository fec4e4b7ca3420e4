import pMap from 'p-map';
import { Attempts } from '../../kernel/attempts.js';
import { paginate } from '../../kernel/paginate.js';

interface Options {
  readonly concurrency: number;
  /** Nothing more begins once it aborts. */
  readonly signal: AbortSignal | undefined;
}

/** Works on all that is due, page by page. What fails keeps nothing behind it from its turn. Throws the first fault at the end. */
export const forEachDue = async <Due>(
  find: (last: Due | undefined, limit: number) => Promise<readonly Due[]>,
  work: (due: Due) => Promise<unknown>,
  { concurrency, signal }: Options,
): Promise<void> => {
  const attempts = new Attempts();
  const isOver = (): boolean => signal?.aborted === true;
  const attempt = async (due: Due): Promise<void> => {
    if (!isOver()) await attempts.make(() => work(due));
  };
  for await (const page of paginate(find)) {
    if (isOver()) break;
    await pMap(page, attempt, { concurrency });
  }
  attempts.end();
};
