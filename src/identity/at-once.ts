/** Works on every item, on at most `limit` at the same time; answers in the order of the items. The first error ends it. */
export const atOnce = async <Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};

/** Lets at most `limit` pieces of work run at the same time, whoever brings them; the others wait in line. */
export class Gate {
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) await new Promise<void>((resume) => this.line.push(resume));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      // Whoever is next takes over the place: the number of those that run stays the same.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
