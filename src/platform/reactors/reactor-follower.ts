import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { completesWithin } from '../../kernel/completes-within.js';
import { type EventStore } from '../eventstore/event-store.js';
import { describeError, type Logger } from '../http/logging.js';
import { type Leadership } from '../leadership/leadership.js';
import { SubscriptionBuffer } from '../projections/subscription-buffer.js';
import { Progress } from './progress.js';
import { ReactionRun } from './reaction-run.js';
import { type Reaction, type ReactorOptions } from './reactor.js';
import { leadershipOf, ReactorRows, Superseded } from './reactor-rows.js';

/** Limit of events under way at once, including those that wait for their turn. */
const MAX_UNDER_WAY = 500;
/** Milliseconds until an effect's place is saved. After a crash the events since the last save run again. */
const SAVE_DONE_MS = 1_000;
/** The same where all events since the last save were passed over. */
const SAVE_PASSED_MS = 10_000;
/** Milliseconds that running tries have to end when the process stops. */
const GRACE_MS = 5_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** `standby`: another instance leads. `waiting`: a store is unavailable. `superseded`: a newer version has taken over. */
export type ReactorState = 'standby' | 'catching_up' | 'live' | 'waiting' | 'superseded' | 'stopped';

export interface ReactorStatus {
  readonly reactor: string;
  readonly state: ReactorState;
  /** The effects of all events up to here are done or parked. Undefined if this instance does not lead, or at the start. */
  readonly position: bigint | undefined;
  /** Age of the oldest event whose effect is not done; 0 if there is none, and on standby. */
  readonly lagSeconds: number;
}

export type Outcome = 'done' | 'retried' | 'parked';

export interface FollowerOptions {
  readonly reactor: ReactorOptions;
  readonly reaction: Reaction;
  readonly leadership: Leadership;
  readonly store: EventStore;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly count: (reactor: string, outcome: Outcome) => void;
}

/** Follows the log for one reactor while this process leads it. */
export class ReactorFollower {
  private readonly stopping = new AbortController();
  private readonly rows: ReactorRows;
  private state: ReactorState = 'standby';
  private leading: Promise<void> = Promise.resolve();
  private lost = new AbortController();
  private progress: Progress | undefined;
  private run: ReactionRun | undefined;
  private retrying = false;

  constructor(private readonly options: FollowerOptions) {
    this.rows = new ReactorRows(options.leadership, options.reactor);
  }

  get name(): string {
    return this.options.reactor.name;
  }

  status(): ReactorStatus {
    const oldest = this.progress?.oldest;
    return {
      reactor: this.name,
      state: this.state,
      position: this.progress?.reached,
      lagSeconds: oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest.getTime()) / 1_000),
    };
  }

  start(): void {
    this.options.leadership.claim({
      name: leadershipOf(this.name),
      gained: () => {
        const lost = (this.lost = new AbortController());
        this.leading = this.leading.then(() => this.lead(lost.signal));
      },
      lost: () => {
        this.lost.abort();
        this.state = 'standby';
      },
    });
  }

  /** Begins nothing more and waits for running tries. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.leading;
    this.state = 'stopped';
  }

  /** Retries once each parked event that operators marked for a retry. */
  async retryWanted(): Promise<void> {
    const { run } = this;
    if (run === undefined || this.retrying) return;
    this.retrying = true;
    try {
      for (let parked = await this.rows.wanted(); parked !== undefined; parked = await this.rows.wanted()) {
        const from = BigInt(parked.revision);
        const [event] = await this.options.store.read(parked.stream, { from, maxCount: 1 });
        if (event?.id === parked.id) await this.retry(run, event);
        // A restore of the log or a purge removed the event, so there is nothing left to react to.
        else await this.rows.unpark(parked.id);
      }
    } finally {
      this.retrying = false;
    }
  }

  private async retry(run: ReactionRun, event: StoredEvent): Promise<void> {
    try {
      await run.once(event, 1);
      await this.rows.unpark(event.id);
      this.options.count(this.name, 'done');
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      await this.park(event, 1, error);
    }
  }

  private async lead(lost: AbortSignal): Promise<void> {
    const isOver = (): boolean => lost.aborted || this.stopping.signal.aborted;
    for (let failures = 0; !isOver(); failures += 1) {
      try {
        await this.follow(lost);
      } catch (error) {
        if (error instanceof Superseded) {
          await this.resign(error);
          return;
        }
        if (this.state === 'live') failures = 0;
        if (!isOver()) this.wait(error);
      } finally {
        this.progress = undefined;
        this.run = undefined;
      }
      const signal = AbortSignal.any([lost, this.stopping.signal]);
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async follow(lost: AbortSignal): Promise<void> {
    const { reactor, reaction, store } = this.options;
    const after = await this.rows.begin(await store.head());
    const end = new AbortController();
    const cutOff = AbortSignal.any([lost, end.signal]);
    const stopping = AbortSignal.any([cutOff, this.stopping.signal]);
    // Each event under way adds a listener.
    setMaxListeners(0, cutOff, stopping);
    const progress = (this.progress = new Progress(after));
    const run = (this.run = new ReactionRun(reactor, reaction, this.reactionEvents(), { stopping, cutOff }));
    this.state = 'catching_up';
    const saving = new Saving(progress, (position) => this.rows.save(position));
    const { streamPrefixes, eventTypes } = reactor;
    const feed = new SubscriptionBuffer({ store, streamPrefixes, eventTypes, after, signal: stopping });
    try {
      await Promise.race([saving.failed, this.take(feed, run, saving, stopping)]);
      await completesWithin(GRACE_MS, progress.settled());
      await saving.now();
    } finally {
      end.abort();
      feed.close();
      saving.stop();
    }
  }

  /** Resolves once the signal has aborted. */
  private async take(feed: SubscriptionBuffer, run: ReactionRun, saving: Saving, stopping: AbortSignal): Promise<void> {
    const { progress } = saving;
    stopping.addEventListener('abort', () => progress.release(), { once: true });
    for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
      for (const event of batch.events) {
        if (!this.concerns(event)) continue;
        await progress.room(MAX_UNDER_WAY);
        if (stopping.aborted) return;
        const done = progress.begin(event.position, event.created);
        const end = (ended: boolean): void => {
          done(ended);
          saving.within(SAVE_DONE_MS);
        };
        run.react(event).then(end, saving.fail);
      }
      if (batch.position !== undefined) progress.pass(batch.position);
      if (batch.caughtUp) this.state = 'live';
      saving.within(SAVE_PASSED_MS);
    }
  }

  /** An event that cannot be judged goes to a try, whose error is counted and parked. */
  private concerns(event: StoredEvent): boolean {
    try {
      return this.options.reaction.concerns?.(event) ?? true;
    } catch {
      return true;
    }
  }

  private reactionEvents() {
    const { name } = this;
    return {
      done: () => this.options.count(name, 'done'),
      retried: ({ id, type, stream }: StoredEvent, error: unknown, attempt: number) => {
        this.options.count(name, 'retried');
        const fields = { reactor: name, event: id, type, stream, error: describeError(error) };
        if (attempt === 1) this.options.log.warn(fields, 'an effect failed; it is tried again');
      },
      park: (event: StoredEvent, attempts: number, error: unknown) => this.park(event, attempts, error),
    };
  }

  private async park(event: StoredEvent, attempts: number, error: unknown): Promise<void> {
    const { id, type, stream } = event;
    const described = describeError(error);
    await this.rows.park(event, attempts, [described.type, described.message].filter(Boolean).join(': '));
    this.options.count(this.name, 'parked');
    this.options.log.error(
      { reactor: this.name, event: id, type, stream, error: described },
      'an effect failed for good; npm run reactors -- retry has it tried again',
    );
  }

  private wait(error: unknown): void {
    if (this.state !== 'waiting') {
      const level = error instanceof Unavailable ? 'warn' : 'error';
      this.options.log[level]({ reactor: this.name, error: describeError(error) }, 'a reactor waits');
    }
    this.state = 'waiting';
  }

  private async resign(error: Superseded): Promise<void> {
    this.state = 'superseded';
    this.options.log.warn(
      { reactor: this.name, error: describeError(error) },
      'a newer version reacts; this one rests',
    );
    await this.options.leadership.resign(leadershipOf(this.name));
  }
}

/** Saves the checkpoint at intervals. */
class Saving {
  readonly failed: Promise<never>;
  fail: (error: unknown) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  /** On the monotonic clock. */
  private dueAt = Infinity;
  private saved: bigint | undefined;

  constructor(
    readonly progress: Progress,
    private readonly save: (position: bigint) => Promise<void>,
  ) {
    this.saved = progress.reached;
    this.failed = new Promise((_, reject) => (this.fail = reject));
    // It may reject when nobody waits for it any more.
    this.failed.catch(() => undefined);
  }

  within(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds;
    if (this.progress.reached === this.saved || this.dueAt <= dueAt) return;
    this.dueAt = dueAt;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      this.now().catch(this.fail);
    }, milliseconds).unref();
  }

  async now(): Promise<void> {
    const { reached } = this.progress;
    if (reached === undefined || reached === this.saved) return;
    await this.save(reached);
    this.saved = reached;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
