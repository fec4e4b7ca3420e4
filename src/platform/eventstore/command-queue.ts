import { type Clock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';

const EXPIRY_CHECK_MS = 100;

/** A command's last event, and where it stands. */
export interface Landing {
  readonly event: NewEvent;
  readonly revision: bigint;
  /** Commit position of its append, at or behind the event. */
  readonly position: bigint;
}

/** The store was asked to append this command's events and nobody knows whether it did. */
export class OutcomeUnknown extends Unavailable {
  constructor(
    /** The revision of the stream behind which they stand, if they do; -1: it was empty. */
    readonly after: bigint,
    /** Resolves once the stream has told; undefined: nothing was written, nor ever will be. Never rejects. */
    readonly landing: Promise<Landing | undefined>,
  ) {
    super('event_store');
  }
}

/** How a command stays true to what it was made from, which changes meanwhile. */
export interface Freshness<Command> {
  /** On the monotonic clock: an append that begins later takes the command anew. */
  readonly until: number;
  /** May be called again for each time that the command has aged. What it rejects with, the command is rejected with. */
  readonly renew: () => Promise<{ readonly command: Command; readonly until: number }>;
}

export interface Decision<State> {
  /** The state right after this command; its maps live on, so read them at once. */
  readonly state: State;
  /** Revision of the command's last event, or where it needed none, of the stream's last event (-1: none). */
  readonly revision: bigint;
  /** Whether the command appended something; false where it had been carried out already. */
  readonly appended: boolean;
  /** Undefined where it appended nothing. */
  readonly landing?: Landing;
}

export interface Entry<State, Command> {
  command: Command;
  readonly deadline: number;
  freshUntil: number;
  readonly renew: (() => ReturnType<Freshness<Command>['renew']>) | undefined;
  renewing?: Promise<void> | undefined;
  readonly resolve: (decision: Decision<State>) => void;
  readonly reject: (error: unknown) => void;
  /** Its events were handed to the store. */
  attempted: boolean;
  done: boolean;
  /** Set once its caller was told that the outcome is unknown. */
  landed?: (landing: Landing | undefined) => void;
}

export interface Verdict<State, Command> {
  readonly entry: Entry<State, Command>;
  readonly outcome: { readonly decision: Decision<State> } | { readonly error: unknown };
}

/** Commands that wait for their append, in the order in which they came. Each is answered in time, even while the store hangs. */
export class CommandQueue<State, Command> {
  private entries: Entry<State, Command>[] = [];
  private expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    /** The revision of the stream as far as it is known. */
    private readonly reached: () => bigint,
  ) {}

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get waiting(): readonly Entry<State, Command>[] {
    return this.entries;
  }

  add(command: Command, budgetMs: number, freshness?: Freshness<Command>): Promise<Decision<State>> {
    return new Promise((resolve, reject) => {
      const deadline = this.clock.monotonic() + budgetMs;
      const freshUntil = freshness?.until ?? Infinity;
      const renew = freshness?.renew;
      this.entries.push({ command, deadline, freshUntil, renew, resolve, reject, attempted: false, done: false });
      this.expiry ??= setInterval(() => this.expire(), EXPIRY_CHECK_MS);
    });
  }

  answer(verdicts: readonly Verdict<State, Command>[]): void {
    for (const { entry, outcome } of verdicts) {
      entry.landed?.('decision' in outcome ? outcome.decision.landing : undefined);
      if (entry.done) continue;
      entry.done = true;
      if ('decision' in outcome) entry.resolve(outcome.decision);
      else entry.reject(outcome.error);
    }
    this.forgetDone();
  }

  reject(entries: readonly Entry<State, Command>[], error: unknown): void {
    for (const entry of entries) {
      entry.done = true;
      entry.reject(error);
    }
    this.forgetDone();
  }

  /** Of the next in line alone, so that those behind them are made anew only when their turn comes. */
  renewAged(next: readonly Entry<State, Command>[], now: number): Promise<void>[] {
    return next.filter(({ freshUntil }) => freshUntil < now).map((entry) => (entry.renewing ??= this.renew(entry)));
  }

  expire(now = this.clock.monotonic()): void {
    for (const entry of this.entries) {
      if (entry.deadline > now) continue;
      entry.done = true;
      entry.reject(entry.attempted ? outcomeUnknown(entry, this.reached()) : new Unavailable('event_store'));
    }
    this.forgetDone();
    if (this.entries.length > 0) return;
    clearInterval(this.expiry);
    this.expiry = undefined;
  }

  private async renew(entry: Entry<State, Command>): Promise<void> {
    try {
      const renewed = await entry.renew?.();
      entry.freshUntil = renewed?.until ?? Infinity;
      entry.command = renewed?.command ?? entry.command;
    } catch (error) {
      this.reject([entry], error);
    } finally {
      entry.renewing = undefined;
    }
  }

  private forgetDone(): void {
    this.entries = this.entries.filter(({ done }) => !done);
  }
}

const outcomeUnknown = <State, Command>(entry: Entry<State, Command>, after: bigint): OutcomeUnknown =>
  new OutcomeUnknown(after, new Promise((resolve) => (entry.landed = resolve)));
