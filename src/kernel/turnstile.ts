/** Lets at most `limit` pieces of work run at the same time, whoever brings them; the others wait in line. */
export class Turnstile {
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
