/** A point where work waits until a test releases it. */
export class Hold {
  readonly reached: Promise<void>;
  private readonly released: Promise<void>;
  private arrive: () => void = () => undefined;
  private letGo: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.released = new Promise((resolve) => (this.letGo = resolve));
  }

  release(): void {
    this.letGo();
  }

  pass(): Promise<void> {
    this.arrive();
    return this.released;
  }
}
