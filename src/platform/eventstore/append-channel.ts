import { type NewEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type AppendOutcome, type AppendReply, encodeAppend } from './append-codec.js';
import { type ExpectedRevision } from './event-store.js';

/** What of a gRPC duplex call the channel uses. */
export interface AppendCall {
  write(message: Buffer): unknown;
  cancel(): void;
  on(event: 'data', listener: (reply: AppendReply) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

export type KnownOutcome = Exclude<AppendOutcome, { kind: 'unknown' }>;

interface InFlight {
  readonly message: Buffer;
  readonly resolve: (outcome: KnownOutcome) => void;
  readonly reject: (error: Unavailable) => void;
  readonly deadline: NodeJS.Timeout;
  /** When it was written to the present call, on the monotonic clock. */
  sentAt: number;
  lastProblem: unknown;
  /** How often the store could not say. */
  unknowns: number;
}

export interface AppendChannelOptions {
  /** A call that answers nothing for this long while appends wait is given up for a new one (default 600 ms). */
  readonly stallMs?: number;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

/** Share of the budget within which the store must decide an append, so that the answer still comes in time. */
const DECIDED_WITHIN = 0.8;

const pauseAfter = (failures: number): number => Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);

/**
 * Appends over one duplex call, any number in flight. An append whose answer is lost with its call is written again,
 * byte for byte, on the next one, until its budget is used up: the store recognises the ids and the expected revision.
 */
export class AppendChannel {
  private readonly inFlight = new Map<number, InFlight>();
  private readonly stallMs: number;
  private call: AppendCall | undefined;
  /** Counts attempts to open a call, so that one that comes too late is recognised. */
  private attempt = 0;
  private opening = false;
  private failures = 0;
  private correlations = 0;
  private repliedAt = 0;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly open: () => Promise<AppendCall>,
    options: AppendChannelOptions = {},
  ) {
    this.stallMs = options.stallMs ?? 600;
  }

  /** When the store last answered an append, on the monotonic clock. */
  get lastReplyAt(): number {
    return this.repliedAt;
  }

  /** Rejects with Unavailable where the outcome is not known within the budget (milliseconds). */
  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    budgetMs: number,
  ): Promise<KnownOutcome> {
    this.correlations += 1;
    const correlation = this.correlations;
    const message = encodeAppend(correlation, stream, events, expected, budgetMs * DECIDED_WITHIN);
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.expire(correlation), budgetMs);
      const sentAt = performance.now();
      const entry: InFlight = { message, resolve, reject, deadline, sentAt, lastProblem: undefined, unknowns: 0 };
      this.inFlight.set(correlation, entry);
      this.watchForStall();
      if (this.call === undefined) this.connect();
      else this.call.write(message);
    });
  }

  /** Leaves the present call, for example since the connection below it was replaced. */
  reset(): void {
    const call = this.call;
    this.call = undefined;
    this.opening = false;
    this.attempt += 1;
    call?.cancel();
    if (this.inFlight.size > 0) this.connect();
  }

  /** Rejects what is in flight. */
  close(): void {
    for (const correlation of [...this.inFlight.keys()]) this.expire(correlation);
    clearTimeout(this.watch);
    this.reset();
  }

  private connect(): void {
    if (this.opening) return;
    this.opening = true;
    this.attempt += 1;
    const attempt = this.attempt;
    this.open().then(
      (call) => this.opened(call, attempt),
      (error: unknown) => {
        if (attempt === this.attempt) this.retryLater(error);
      },
    );
  }

  private opened(call: AppendCall, attempt: number): void {
    call.on('error', (error) => this.lost(call, error));
    if (attempt !== this.attempt) {
      call.cancel();
      return;
    }
    this.opening = false;
    this.call = call;
    call.on('data', (reply) => this.answered(reply));
    call.on('end', () => this.lost(call, new Error('the store ended the append call')));
    const now = performance.now();
    for (const entry of this.inFlight.values()) {
      entry.sentAt = now;
      call.write(entry.message);
    }
  }

  private lost(call: AppendCall, error: Error): void {
    if (call !== this.call) return;
    this.call = undefined;
    this.retryLater(error);
  }

  private retryLater(problem: unknown): void {
    for (const entry of this.inFlight.values()) entry.lastProblem = problem;
    this.opening = true;
    this.attempt += 1;
    const attempt = this.attempt;
    const pause = pauseAfter(this.failures);
    this.failures += 1;
    setTimeout(() => {
      if (attempt !== this.attempt) return;
      this.opening = false;
      if (this.inFlight.size > 0) this.connect();
    }, pause).unref();
  }

  private answered({ correlation, outcome }: AppendReply): void {
    this.repliedAt = performance.now();
    this.failures = 0;
    const entry = this.inFlight.get(correlation);
    if (entry === undefined) return;
    if (outcome.kind === 'unknown') {
      entry.lastProblem = new Error(outcome.reason);
      // A store that is too busy says so at once; asked at a fixed pace by all that wait, it would stay so.
      setTimeout(() => this.sendAgain(correlation), pauseAfter(entry.unknowns)).unref();
      entry.unknowns += 1;
      return;
    }
    this.inFlight.delete(correlation);
    clearTimeout(entry.deadline);
    entry.resolve(outcome);
  }

  private sendAgain(correlation: number): void {
    const entry = this.inFlight.get(correlation);
    if (entry !== undefined) this.call?.write(entry.message);
  }

  private expire(correlation: number): void {
    const entry = this.inFlight.get(correlation);
    if (entry === undefined) return;
    this.inFlight.delete(correlation);
    clearTimeout(entry.deadline);
    entry.reject(new Unavailable('event_store', { cause: entry.lastProblem }));
  }

  private watchForStall(): void {
    this.watch ??= setTimeout(() => {
      this.watch = undefined;
      const oldest = this.inFlight.values().next().value;
      if (oldest === undefined) return;
      const call = this.call;
      if (call !== undefined && performance.now() - Math.max(oldest.sentAt, this.repliedAt) > this.stallMs) {
        this.lost(call, new Error('the store does not answer'));
        call.cancel();
      }
      this.watchForStall();
    }, this.stallMs / 2).unref();
  }
}
