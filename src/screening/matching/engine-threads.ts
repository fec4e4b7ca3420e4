import pLimit from 'p-limit';
import { type EngineLists, type EngineSource } from './engine-messages.js';
import { EngineThread } from './engine-thread.js';
import { type Thresholds } from './list-engine.js';

/** Says which lists a thread holds. */
export interface Wanted {
  readonly list: EngineSource['list'];
  readonly version: string;
  /** Screening goes on without it where it cannot be read. */
  readonly dispensable?: boolean;
}

export type Sources = (wanted: readonly Wanted[]) => Promise<readonly EngineSource[]>;

interface Held {
  readonly thread: Promise<EngineThread>;
  /** Undefined while it reads its lists. */
  started: EngineThread | undefined;
  users: number;
  usedAt: number;
}

export const keyOf = (wanted: readonly Wanted[]): string =>
  wanted
    .map(({ list, version }) => `${list}@${version}`)
    .sort()
    .join(' ');

/** At most this many beside the present lists: each takes as much memory as the lists that it holds. */
const MOST = 2;
/** Milliseconds after which an unused one is ended. */
const KEPT = 60_000;

/** Threads for other versions than the present, and for work that must not delay a check. */
export class EngineThreads {
  private readonly held = new Map<string, Held>();
  private readonly limited = pLimit(MOST);

  constructor(
    private readonly sources: Sources,
    private readonly thresholds: Thresholds,
  ) {}

  /** A thread that no one else holds: the caller closes it. */
  async start(wanted: readonly Wanted[]): Promise<EngineThread> {
    const lists: EngineLists = { sources: await this.sources(wanted), thresholds: this.thresholds };
    return EngineThread.start(lists);
  }

  /** Work that waits for its turn: so no thread is ended before it has answered, and no more than MOST are loaded at once. */
  using<Result>(wanted: readonly Wanted[], work: (thread: EngineThread) => Promise<Result>): Promise<Result> {
    return this.limited(async () => {
      const held = this.heldFor(wanted);
      held.users += 1;
      try {
        return await work(await held.thread);
      } finally {
        held.users -= 1;
        held.usedAt = performance.now();
      }
    });
  }

  endUnused(): void {
    const since = performance.now() - KEPT;
    this.end([...this.held].filter(([, { users, usedAt }]) => users === 0 && usedAt < since));
  }

  close(): void {
    this.end([...this.held]);
  }

  private heldFor(wanted: readonly Wanted[]): Held {
    const key = keyOf(wanted);
    const known = this.held.get(key);
    if (known !== undefined && known.started?.isAlive !== false) return known;
    const held: Held = { thread: this.start(wanted), started: undefined, users: 0, usedAt: performance.now() };
    this.held.set(key, held);
    held.thread.then(
      (started) => (held.started = started),
      () => {
        if (this.held.get(key) === held) this.held.delete(key);
      },
    );
    const unused = [...this.held].filter(([, other]) => other !== held && other.users === 0);
    const kept = Math.max(0, MOST - (this.held.size - unused.length));
    this.end(unused.sort(([, a], [, b]) => b.usedAt - a.usedAt).slice(kept));
    return held;
  }

  private end(held: readonly (readonly [string, Held])[]): void {
    for (const [key, { thread }] of held) {
      this.held.delete(key);
      thread.then(
        (started) => started.closeWhenIdle(),
        () => undefined,
      );
    }
  }
}
