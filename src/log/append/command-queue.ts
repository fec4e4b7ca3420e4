import { type Clock } from '../../kernel/clock.js';
import { type NewEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';

const EXPIRY_CHECK_MS = 100;

/** Revision and commit position of a command's last event. */
export interface CommittedEvent {
  readonly event: NewEvent;
  readonly revision: bigint;
  /** Commit position of its append, at or after the event. */
  readonly position: bigint;
}

/** The store was asked to append this command's events, and the outcome is not known. */
export class OutcomeUnknown extends Unavailable {
  constructor(
    /** Any written events of the command lie after this revision of the stream; -1 if the stream was empty. */
    readonly after: bigint,
    /** Resolves once the stream shows the outcome. Undefined means that nothing was written, nor will be. Never rejects. */
    readonly committedEvent: Promise<CommittedEvent | undefined>,
  ) {
    super('event_store');
  }
}

/** The command's append did not begin before its inputs were too old. Nothing was tried. */
export class InputsTooOld extends Error {}

/** Limits the age of a command whose inputs change over time. */
export interface Freshness {
  /** On the monotonic clock. An append that would begin later rejects the command with InputsTooOld. */
  readonly until: number;
  /** Its turn had come when its inputs were too old, so it goes before all others. */
  readonly isNext: boolean;
}

const ALWAYS_FRESH: Freshness = { until: Infinity, isNext: false };

export interface Decision<State> {
  /** The state right after this command. Later commands change its maps, so read them at once. */
  readonly state: State;
  /** Revision of the command's first event. If it needed none, revision of the stream's last event (-1 if there is none). */
  readonly revision: bigint;
  /** Whether the command appended something; false if it had been carried out already. */
  readonly appended: boolean;
  /** Undefined if the command appended nothing. */
  readonly committedEvent?: CommittedEvent;
}

export interface Entry<State, Command> {
  readonly command: Command;
  readonly deadline: number;
  readonly freshUntil: number;
  readonly resolve: (decision: Decision<State>) => void;
  readonly reject: (error: unknown) => void;
  /** Its events were handed to the store. */
  attempted: boolean;
  done: boolean;
  /** Set once the caller heard that the outcome is unknown. */
  resolveOutcome?: (committedEvent: CommittedEvent | undefined) => void;
}

export interface Verdict<State, Command> {
  readonly entry: Entry<State, Command>;
  readonly outcome: { readonly decision: Decision<State> } | { readonly error: unknown };
}

/**
 * Commands that wait for their append, in order of arrival. Each gets its answer within its deadline, even while the
 * store hangs.
 */
export class CommandQueue<State, Command> {
  private entries: Entry<State, Command>[] = [];
  private expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    /** The last known revision of the stream. */
    private readonly reached: () => bigint,
  ) {}

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get waiting(): readonly Entry<State, Command>[] {
    return this.entries;
  }

  add(command: Command, budgetMs: number, { until, isNext } = ALWAYS_FRESH): Promise<Decision<State>> {
    return new Promise((resolve, reject) => {
      const deadline = this.clock.monotonic() + budgetMs;
      const entry = { command, deadline, freshUntil: until, resolve, reject, attempted: false, done: false };
      if (isNext) this.entries.unshift(entry);
      else this.entries.push(entry);
      this.expiry ??= setInterval(() => this.expire(), EXPIRY_CHECK_MS);
    });
  }

  answer(verdicts: readonly Verdict<State, Command>[]): void {
    for (const { entry, outcome } of verdicts) {
      entry.resolveOutcome?.('decision' in outcome ? outcome.decision.committedEvent : undefined);
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

  private forgetDone(): void {
    this.entries = this.entries.filter(({ done }) => !done);
  }
}

const outcomeUnknown = <State, Command>(entry: Entry<State, Command>, after: bigint): OutcomeUnknown =>
  new OutcomeUnknown(after, new Promise((resolve) => (entry.resolveOutcome = resolve)));
