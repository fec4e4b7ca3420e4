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

/**
 * Merges the look-ups of the moment: while one is under way the others wait and go together in the next, and the same
 * thing asked for twice is looked up once.
 */
export class MergedLookup<Key, Value extends object | string | symbol> {
  private waiting = new Map<string, Waiting<Key, Value>>();
  private running = false;

  /** `load` must answer for every key that it is given; an Error among its answers rejects only the look-ups of that key. */
  constructor(
    private readonly load: (keys: ReadonlyMap<string, Key>) => Promise<ReadonlyMap<string, Value | Error>>,
    private readonly maxBatch = 1_000,
  ) {}

  /** Whether nobody waits for an answer. */
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
      const batch = this.takeBatch();
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
