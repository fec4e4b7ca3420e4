import { pause } from '../../kernel/pause.js';
import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type LogRecord } from '@kyc/esdb-client/events';
import { describeError } from '../../observability/logging.js';
import { type Claim, type Leadership } from '../../platform/leadership/leadership.js';
import { type Batch, type Cut, later, PageBuffer, type Pages } from './page-buffer.js';

/**
 * `standby`: another instance leads. `waiting`: a store is unavailable, or a fault may pass. `superseded`: a newer version has
 * taken over.
 */
export type FollowerState = 'standby' | 'catching_up' | 'live' | 'waiting' | 'superseded' | 'stopped';

/** A newer version follows in this one's place. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** What is done with the log, page by page. Throws Unavailable where a store is away: it is then begun again, after a pause. */
export interface Following<Event = StoredEvent> {
  /** In logs, metrics and health. Where one process leads, the name of the lock. */
  readonly name: string;
  /** What is read, after this position and until the signal aborts. */
  readonly pages: (store: EventStore, after: bigint | undefined, signal: AbortSignal) => ReturnType<Pages<Event>>;
  readonly cut?: Cut<Event>;
  /** It has to reach the end of the log, also where a subscription does not report the last events there. */
  readonly reachesEnd?: boolean;
  /**
   * Takes over what only the leader may write, and returns the position from which to read on. `head` is the end of the log.
   * Throws Superseded.
   */
  begin(head: bigint | undefined, signal: AbortSignal): Promise<bigint | undefined>;
  /** Resolves once it can take more. Until then little is read. */
  take(batch: Batch<Event>): Promise<void>;
  /** Nothing came for a while. */
  idle?(): Promise<void>;
  /** After `take`, resolves when the next batch is wanted. `filled` resolves once a whole one waits. */
  gather?(filled: Promise<void>): Promise<void>;
  /** Begins nothing more, and ends what is under way. It also runs after a fault. */
  end?(): Promise<void>;
  /** This process no longer leads. */
  lost?(): void;
}

/** The part of a pino logger that is used. */
export interface FollowerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface FollowerOptions {
  readonly store: EventStore;
  readonly log: FollowerLog;
  /** One process of all follows. If absent, each does. */
  readonly leadership?: Leadership | undefined;
  readonly rank?: Claim['rank'];
}

/** Milliseconds of silence after which a follower may say that it lives. */
const IDLE_POLL_MS = 500;
/** Milliseconds without a delivery, below the end of the log, after which it is read anew: a subscription may not report its end. */
const STALE_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/**
 * Follows the log for one purpose: it owns position, pages, leadership, retry and state. What is done with a page, and where the
 * position is kept, is the purpose's own. A slow one is read for slowly.
 */
export class Follower<Event extends StoredEvent | LogRecord = StoredEvent> {
  private readonly stopping = new AbortController();
  private lost = new AbortController();
  private round = new AbortController();
  private leading: Promise<void> = Promise.resolve();
  private buffer: PageBuffer<Event> | undefined;
  private reached: bigint | undefined;
  /** The first of failures in a row is logged. */
  private failures = 0;
  state: FollowerState = 'standby';

  constructor(
    private readonly following: Following<Event>,
    private readonly options: FollowerOptions,
  ) {}

  /** Everything up to here was taken. Undefined while another instance leads, and at the start of the log. */
  get position(): bigint | undefined {
    return this.reached;
  }

  /** Deliveries that arrived and were not taken. */
  get waiting(): number {
    return this.buffer?.waiting ?? 0;
  }

  start(): void {
    const { leadership, rank } = this.options;
    if (leadership === undefined) {
      this.leading = this.lead(this.stopping.signal);
      return;
    }
    leadership.claim({
      name: this.following.name,
      ...(rank === undefined ? {} : { rank }),
      gained: () => {
        const { signal } = (this.lost = new AbortController());
        this.leading = this.leading.then(() => this.lead(AbortSignal.any([signal, this.stopping.signal])));
      },
      lost: () => this.lose(),
    });
  }

  /** Begins anew, from where `begin` says. */
  restart(): void {
    if (this.state === 'live') this.state = 'catching_up';
    this.round.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.leading;
    this.state = 'stopped';
  }

  private lose(): void {
    this.lost.abort();
    this.state = 'standby';
    this.reached = undefined;
    this.following.lost?.();
  }

  private async lead(over: AbortSignal): Promise<void> {
    const isOver = (): boolean => over.aborted;
    while (!isOver()) {
      try {
        await this.follow(over);
      } catch (error) {
        if (isOver()) return;
        if (error instanceof Superseded) return this.resign(error);
        this.wait(error);
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), MAX_PAUSE_MS);
        await pause(pauseMs, over);
      }
    }
  }

  private async follow(over: AbortSignal): Promise<void> {
    this.round = new AbortController();
    const signal = AbortSignal.any([over, this.round.signal]);
    const isOver = (): boolean => signal.aborted;
    const head = await this.options.store.head();
    if (isOver()) return;
    try {
      this.reached = await this.following.begin(head, signal);
      if (isOver()) return;
      this.state = 'catching_up';
      for (let end: bigint | undefined = head; !signal.aborted;) end = await this.read(end, signal);
    } finally {
      // What a fault left under way ends, too.
      this.round.abort();
      await this.following.end?.();
    }
  }

  /** Reads until the signal aborts, or until the log's end, which is returned, lies further than its subscription reports. */
  private async read(head: bigint | undefined, signal: AbortSignal): Promise<bigint | undefined> {
    const { following } = this;
    const { store } = this.options;
    const pages: Pages<Event> = (until) => following.pages(store, this.reached, until);
    const buffer = (this.buffer = new PageBuffer<Event>(pages, signal, following.cut));
    try {
      let [idleMs, isLevel] = [0, false];
      let seen: bigint | undefined;
      for (;;) {
        const batch = await buffer.next(IDLE_POLL_MS);
        if (batch === undefined || signal.aborted) return undefined;
        const isEmptyBatch = batch.events.length === 0 && batch.position === undefined && !batch.caughtUp;
        idleMs = isEmptyBatch ? idleMs + IDLE_POLL_MS : 0;
        isLevel ||= batch.caughtUp;
        if (!isEmptyBatch) await this.take(batch, head, buffer);
        else await following.idle?.();
        if (!isLevel || !isEmptyBatch || following.reachesEnd !== true) continue;
        if (seen !== undefined && (this.reached === undefined || this.reached < seen)) {
          this.state = 'catching_up';
          return seen;
        }
        seen = undefined;
        // Nothing waits for the look: deliveries come first, and a store that is away shows in them.
        if (idleMs % STALE_MS === 0)
          void store.head().then(
            (end) => (seen = end),
            () => undefined,
          );
      }
    } finally {
      buffer.close();
    }
  }

  private async take(batch: Batch<Event>, head: bigint | undefined, buffer: PageBuffer<Event>): Promise<void> {
    // What is delivered up to caught_up reaches the head of before, even if no event there was wanted.
    const stated = batch.caughtUp && head !== undefined ? later(batch.position, head) : batch.position;
    const position = stated === undefined || this.reached === undefined ? stated : later(this.reached, stated);
    await this.following.take({ ...batch, position });
    this.reached = position ?? this.reached;
    if (batch.caughtUp) {
      this.state = 'live';
      this.failures = 0;
    }
    if (batch.events.length > 0) await this.following.gather?.(buffer.filled());
  }

  private wait(error: unknown): void {
    this.failures += 1;
    if (this.failures === 1) {
      const level = error instanceof Unavailable ? 'warn' : 'error';
      this.options.log[level]({ follower: this.following.name, error: describeError(error) }, 'a follower waits');
    }
    this.state = 'waiting';
  }

  private async resign(error: Superseded): Promise<void> {
    this.state = 'superseded';
    const fields = { follower: this.following.name, error: describeError(error) };
    this.options.log.warn(fields, 'a newer version follows the log; this one rests');
    await this.options.leadership?.resign(this.following.name);
  }
}
