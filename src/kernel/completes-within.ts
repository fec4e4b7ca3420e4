/**
 * Waits at most `milliseconds` for `work` and returns whether it ended in time. Throws the failure of `work`. Own code: p-timeout
 * rejects on a timeout.
 */
export const completesWithin = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  try {
    return await Promise.race([work.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
};
