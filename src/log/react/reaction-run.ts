import pLimit, { type LimitFunction } from 'p-limit';
import { setTimeout as pause } from 'node:timers/promises';
import { type StoredEvent } from '../../kernel/events.js';
import { deriveUuid } from '../../kernel/ids.js';
import { LazyAbort } from '../../kernel/lazy-abort.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { completesWithin } from '../../kernel/completes-within.js';
import { type Reaction, type ReactorOptions } from '../../kernel/reaction.js';

const EFFECT_NAMESPACE = '5a0c2f3e-9d0b-4c55-8a0e-3c1f6f1a7e21';
const DEFAULTS = { concurrency: 8, attempts: 8, budgetMs: 30_000 } as const;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** A part that was away this long for one event, while others were done, is not coming back for it: its tries count then. */
const AWAY_FOR_ALL_MS = 3_600_000;

export interface ReactionEvents {
  readonly done: () => void;
  /** Called after a failed try that is retried. */
  readonly retried: (event: StoredEvent, error: unknown, attempt: number) => void;
  /** Once this resolves, the event waits for an operator. */
  readonly park: (event: StoredEvent, attempts: number, error: unknown) => Promise<void>;
}

export interface ReactionSignals {
  /** Aborts when no further try may begin. */
  readonly stopping: AbortSignal;
  /** Aborts when running tries must end. */
  readonly cutOff: AbortSignal;
}

export interface ReactionTime {
  /** Milliseconds, monotonic. */
  now(): number;
  /** The signal ends it early. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const SYSTEM_TIME: ReactionTime = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
};

class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * Runs events through one reaction, in order within a stream and with limited concurrency across streams. Each event
 * runs until it is done or parked.
 */
export class ReactionRun {
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly inTurn: LimitFunction;
  private readonly most: number;
  /** When an event was last done, on the monotonic clock. */
  private doneAt = -Infinity;

  constructor(
    private readonly reactor: ReactorOptions,
    private readonly reaction: Reaction,
    private readonly events: ReactionEvents,
    private readonly signals: ReactionSignals,
    private readonly time: ReactionTime = SYSTEM_TIME,
  ) {
    this.inTurn = pLimit(reactor.concurrency ?? DEFAULTS.concurrency);
    this.most = reactor.attempts ?? DEFAULTS.attempts;
  }

  /**
   * Resolves with true once the event is done or parked, and with false if the process stopped before. Throws the error
   * of parking.
   */
  react(event: StoredEvent): Promise<boolean> {
    const before = this.lanes.get(event.stream) ?? Promise.resolve();
    const reacting = before.then(() => this.untilEnded(event));
    const settled = reacting.then(
      () => undefined,
      () => undefined,
    );
    this.lanes.set(event.stream, settled);
    void settled.then(() => this.lanes.get(event.stream) === settled && this.lanes.delete(event.stream));
    return reacting;
  }

  /** One try, without a pause or a retry. */
  async once(event: StoredEvent, attempt: number): Promise<void> {
    const budgetMs = this.reactor.budgetMs ?? DEFAULTS.budgetMs;
    const { name } = this.reactor;
    const end = new LazyAbort();
    const { cutOff } = this.signals;
    cutOff.addEventListener('abort', end.abort, { once: true });
    if (cutOff.aborted) end.abort();
    const reacting = this.reaction.handle(event, {
      attempt,
      get effectId() {
        return deriveUuid(EFFECT_NAMESPACE, `${name}/${event.id}`);
      },
      get signal() {
        return end.signal;
      },
    });
    try {
      if (await completesWithin(budgetMs, reacting)) return;
      end.abort();
      throw new TookTooLong(`took longer than ${budgetMs} ms`);
    } finally {
      cutOff.removeEventListener('abort', end.abort);
      // No one uses the result after the deadline, so its error is ignored.
      reacting.catch(() => undefined);
    }
  }

  private isStopping(): boolean {
    return this.signals.stopping.aborted;
  }

  private isAwayForIt(began: number): boolean {
    return this.time.now() - began > AWAY_FOR_ALL_MS && this.doneAt > began;
  }

  private async untilEnded(event: StoredEvent): Promise<boolean> {
    let failed = 0;
    const began = this.time.now();
    for (let tries = 0; !this.isStopping(); tries += 1) {
      try {
        // A pause does not occupy the concurrency limit, so a failing stream delays no other.
        await this.inTurn(() => {
          // The signal may have aborted while this try waited for its turn.
          this.signals.stopping.throwIfAborted();
          return this.once(event, failed + 1);
        });
        this.doneAt = this.time.now();
        this.events.done();
        return true;
      } catch (error) {
        if (this.isStopping()) return false;
        if (!(error instanceof Unavailable) || this.isAwayForIt(began)) failed += 1;
        if (failed >= this.most) {
          await this.events.park(event, failed, error);
          return true;
        }
        this.events.retried(event, error, tries + 1);
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
      await this.time.pause(pauseMs, this.signals.stopping);
    }
    return false;
  }
}
