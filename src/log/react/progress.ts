interface Entry {
  readonly position: bigint;
  /** When the store recorded the event. Undefined for a position without an event. */
  readonly created: Date | undefined;
  ended: boolean;
}

/** Entries that may be kept beside those under way before they are merged. */
const MERGED_BEYOND = 1_000;

/** The position up to which everything is done. It moves only once all earlier events are done. */
export class Progress {
  private entries: Entry[] = [];
  private unfinished = 0;
  private released = false;
  private whenChanged: (() => void) | undefined;

  constructor(private reachedTo: bigint | undefined) {}

  /** How many entries are kept. */
  get size(): number {
    return this.entries.length;
  }

  get reached(): bigint | undefined {
    return this.reachedTo;
  }

  /** When the oldest event that is not done was recorded. */
  get oldest(): Date | undefined {
    return this.entries.find(({ ended }) => !ended)?.created;
  }

  /**
   * Marks the event at this position as under way until the returned function is called. An event that is not done
   * stops the progress.
   */
  begin(position: bigint, created: Date): (done: boolean) => void {
    const entry: Entry = { position, created, ended: false };
    this.entries.push(entry);
    this.unfinished += 1;
    return (done) => {
      entry.ended = done;
      this.unfinished -= 1;
      this.advance();
    };
  }

  /** No relevant event lies between the last begun event and this position. */
  pass(position: bigint): void {
    this.entries.push({ position, created: undefined, ended: true });
    this.advance();
  }

  /** Resolves once fewer than `most` events are under way, or after `release`. */
  async room(most: number): Promise<void> {
    while (this.unfinished >= most && !this.released) await this.change();
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    while (this.unfinished > 0) await this.change();
  }

  /** Ends all waits for room. */
  release(): void {
    this.released = true;
    this.whenChanged?.();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => (this.whenChanged = resolve));
  }

  private advance(): void {
    const firstOpen = this.entries.findIndex(({ ended }) => !ended);
    const done = this.entries.splice(0, firstOpen === -1 ? this.entries.length : firstOpen);
    this.reachedTo = done.at(-1)?.position ?? this.reachedTo;
    // Behind an event that stays open only the last of those that ended in a row counts.
    if (this.entries.length > 2 * this.unfinished + MERGED_BEYOND)
      this.entries = this.entries.filter(({ ended }, index, all) => !ended || all[index + 1]?.ended !== true);
    this.whenChanged?.();
  }
}
