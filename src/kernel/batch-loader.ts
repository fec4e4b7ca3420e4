import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from './invariant.js';

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

const waitingFor = <Key, Value>(key: Key): Waiting<Key, Value> => {
  let settle: Pick<Waiting<Key, Value>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  invariant(settle !== undefined, 'a promise runs its executor at once');
  return { key, promise, ...settle };
};

export interface BatchLoaderOptions {
  /** Keys per batch (default 1,000). */
  readonly maxBatch?: number;
  /**
   * Milliseconds (default 0) between the start of a batch that several callers shared and the start of the next. Under load
   * more callers then share a batch. A function is asked before each batch.
   */
  readonly spacingMs?: number | (() => number);
  /** Whether a batch of one caller is followed by the spacing too (default false). For work that no caller waits for. */
  readonly spacesAll?: boolean;
}

/**
 * Merges concurrent look-ups. While one batch is under way, the other look-ups wait and go together in the next. Equal keys are
 * looked up once. Own code: dataloader batches the look-ups of one tick, even if a batch is under way.
 */
export class BatchLoader<Key, Value extends object | string | symbol> {
  private waiting = new Map<string, Waiting<Key, Value>>();
  private running = false;
  private spacedFrom = -Infinity;
  private readonly maxBatch: number;
  private readonly spacingMs: () => number;
  private readonly spacesAll: boolean;

  /** `load` must return a value for every key that it gets. An Error among its values rejects only the look-ups of that key. */
  constructor(
    private readonly load: (keys: ReadonlyMap<string, Key>) => Promise<ReadonlyMap<string, Value | Error>>,
    options: BatchLoaderOptions = {},
  ) {
    this.maxBatch = options.maxBatch ?? 1_000;
    const { spacingMs = 0 } = options;
    this.spacingMs = typeof spacingMs === 'number' ? () => spacingMs : spacingMs;
    this.spacesAll = options.spacesAll ?? false;
  }

  /** Whether no look-up waits for its value. */
  get idle(): boolean {
    return !this.running;
  }

  get(id: string, key: Key): Promise<Value> {
    const present = this.waiting.get(id);
    if (present !== undefined) return present.promise;
    const entry = waitingFor<Key, Value>(key);
    this.waiting.set(id, entry);
    if (!this.running) {
      this.running = true;
      queueMicrotask(() => void this.run());
    }
    return entry.promise;
  }

  private async run(): Promise<void> {
    while (this.waiting.size > 0) {
      const tooSoon = this.spacedFrom + this.spacingMs() - performance.now();
      if (tooSoon > 0) await pause(tooSoon);
      const batch = this.takeBatch();
      if (batch.size > 1 || this.spacesAll) this.spacedFrom = performance.now();
      try {
        const values = await this.load(new Map([...batch].map(([id, { key }]) => [id, key])));
        for (const [id, entry] of batch) this.answer(id, entry, values);
      } catch (error) {
        for (const entry of batch.values()) entry.reject(error);
      }
    }
    this.running = false;
  }

  private takeBatch(): Map<string, Waiting<Key, Value>> {
    if (this.waiting.size <= this.maxBatch) {
      const all = this.waiting;
      this.waiting = new Map();
      return all;
    }
    const batch = new Map([...this.waiting].slice(0, this.maxBatch));
    for (const id of batch.keys()) this.waiting.delete(id);
    return batch;
  }

  private answer(id: string, entry: Waiting<Key, Value>, values: ReadonlyMap<string, Value | Error>): void {
    const value = values.get(id) ?? new Error('a look-up was left unanswered');
    if (value instanceof Error) entry.reject(value);
    else entry.resolve(value);
  }
}
