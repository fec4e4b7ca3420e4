/** Works that go on side by side, at most so many; the first failure is thrown at whoever waits next. */
export class UnderWay {
  private readonly works = new Set<Promise<void>>();
  private failure: { readonly error: unknown } | undefined;

  constructor(private readonly most: number) {}

  /** Waits until there is room for one more. */
  async room(): Promise<void> {
    while (this.works.size >= this.most) await Promise.race(this.works);
    this.throwFailure();
  }

  begin(work: Promise<void>): void {
    const held = work
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.works.delete(held));
    this.works.add(held);
  }

  async all(): Promise<void> {
    await Promise.all(this.works);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}
