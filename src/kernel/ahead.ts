/** The same values, each fetched while its predecessor is worked on. */
export async function* ahead<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (let next = iterator.next(); ;) {
      const result = await next;
      if (result.done === true) return;
      next = iterator.next();
      // If the reader stops before it asks again, no one hears of the failure.
      next.catch(() => undefined);
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}
