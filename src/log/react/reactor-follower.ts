import { setMaxListeners } from 'node:events';
import { completesWithin } from '../../kernel/completes-within.js';
import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { Follower, type FollowerLog, type FollowerState, type Following } from '../follow/follower.js';
import { type Batch } from '../follow/page-buffer.js';
import { describeError } from '../../observability/logging.js';
import { type Leadership } from '../../platform/leadership/leadership.js';
import { Progress } from './progress.js';
import { ReactionRun } from './reaction-run.js';
import { type Reaction, type ReactorOptions } from '../../kernel/reaction.js';
import { leadershipOf, ReactorRows } from './reactor-rows.js';
import { Saving } from './saving.js';

/** Limit of events under way at once, including those that wait for their turn. */
const MAX_UNDER_WAY = 500;
/** Milliseconds until an effect's place is saved. After a crash the events since the last save run again. */
const SAVE_DONE_MS = 1_000;
/** The same where all events since the last save were passed over. */
const SAVE_PASSED_MS = 10_000;
/** Milliseconds that running tries have to end when the process stops. */
const GRACE_MS = 5_000;

export interface ReactorStatus {
  readonly reactor: string;
  readonly state: FollowerState;
  /** The effects of all events up to here are done or parked. Undefined if this instance does not lead, or at the start. */
  readonly position: bigint | undefined;
  /** Age of the oldest event whose effect is not done; 0 if there is none, and on standby. */
  readonly lagSeconds: number;
}

export type Outcome = 'done' | 'retried' | 'parked';

export interface ReactorFollowerOptions {
  readonly reactor: ReactorOptions;
  readonly reaction: Reaction;
  readonly leadership: Leadership;
  readonly store: EventStore;
  readonly log: FollowerLog;
  readonly count: (reactor: string, outcome: Outcome) => void;
}

/** One reactor, from its subscription on. */
interface Term {
  readonly run: ReactionRun;
  readonly saving: Saving;
  readonly stopping: AbortSignal;
  readonly cutOff: AbortController;
}

/** Does the effects of the events that one reactor follows, while this process leads it. */
export class ReactorFollower implements Following {
  readonly name: string;
  readonly cut = { weightOf: () => 1 };
  private readonly rows: ReactorRows;
  private readonly follower: Follower;
  private term: Term | undefined;
  private retrying = false;

  constructor(private readonly options: ReactorFollowerOptions) {
    const { reactor, store, log, leadership } = options;
    this.name = leadershipOf(reactor.name);
    this.rows = new ReactorRows(leadership, reactor);
    this.follower = new Follower(this, { store, log, leadership });
  }

  get reactor(): string {
    return this.options.reactor.name;
  }

  status(): ReactorStatus {
    const progress = this.term?.saving.progress;
    const oldest = progress?.oldest;
    return {
      reactor: this.reactor,
      state: this.follower.state,
      position: progress?.reached,
      lagSeconds: oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest.getTime()) / 1_000),
    };
  }

  start(): void {
    this.follower.start();
  }

  /** Begins nothing more and waits for running tries. */
  stop(): Promise<void> {
    return this.follower.stop();
  }

  readonly pages: Following['pages'] = (store, after, signal) => {
    const { streamPrefixes, eventTypes } = this.options.reactor;
    return store.subscribeToAllInPages({ streamPrefixes, eventTypes, after, signal });
  };

  async begin(head: bigint | undefined, stopping: AbortSignal): Promise<bigint | undefined> {
    const { reactor, reaction } = this.options;
    const after = await this.rows.begin(head);
    const cutOff = new AbortController();
    // Each event under way adds a listener.
    setMaxListeners(0, cutOff.signal, stopping);
    const progress = new Progress(after);
    stopping.addEventListener('abort', () => progress.release(), { once: true });
    const run = new ReactionRun(reactor, reaction, this.reactionEvents(), { stopping, cutOff: cutOff.signal });
    this.term = { run, saving: new Saving(progress, (position) => this.rows.save(position)), stopping, cutOff };
    return after;
  }

  async take({ events, position }: Batch): Promise<void> {
    const { run, saving, stopping } = this.term as Term;
    const { progress } = saving;
    for (const event of events) {
      saving.throwFault();
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
    if (position !== undefined) progress.pass(position);
    saving.within(SAVE_PASSED_MS);
  }

  idle(): Promise<void> {
    this.term?.saving.throwFault();
    return Promise.resolve();
  }

  async end(): Promise<void> {
    const { term } = this;
    this.term = undefined;
    if (term === undefined) return;
    const { saving, cutOff } = term;
    try {
      if (saving.hasFailed || cutOff.signal.aborted) return;
      await completesWithin(GRACE_MS, saving.progress.settled());
      await saving.now();
    } finally {
      cutOff.abort();
      saving.stop();
    }
  }

  lost(): void {
    this.term?.cutOff.abort();
  }

  /** Retries once each parked event that operators marked for a retry. */
  async retryWanted(): Promise<void> {
    if (this.term === undefined || this.retrying) return;
    const { run } = this.term;
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
      this.options.count(this.reactor, 'done');
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      await this.park(event, 1, error);
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
    const { reactor } = this;
    return {
      done: () => this.options.count(reactor, 'done'),
      retried: ({ id, type, stream }: StoredEvent, error: unknown, attempt: number) => {
        this.options.count(reactor, 'retried');
        const fields = { reactor, event: id, type, stream, error: describeError(error) };
        if (attempt === 1) this.options.log.warn(fields, 'an effect failed; it is tried again');
      },
      park: (event: StoredEvent, attempts: number, error: unknown) => this.park(event, attempts, error),
    };
  }

  private async park(event: StoredEvent, attempts: number, error: unknown): Promise<void> {
    const { id, type, stream } = event;
    const described = describeError(error);
    await this.rows.park(event, attempts, [described.type, described.message].filter(Boolean).join(': '));
    this.options.count(this.reactor, 'parked');
    this.options.log.error(
      { reactor: this.reactor, event: id, type, stream, error: described },
      'an effect failed for good; npm run reactors -- retry has it tried again',
    );
  }
}
