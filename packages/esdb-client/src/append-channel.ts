import { type AppendOutcome, type AppendReply, encodeAppend } from './append-codec.js';
import { type NewEvent, StoreUnavailable } from './events.js';
import { type ExpectedRevision } from './requests.js';

export type KnownOutcome = Exclude<AppendOutcome, { kind: 'unknown' }>;

/** Sends appends to the store and finds out the outcome of each. */
export interface Appends {
  /** When the store last answered an append, on the monotonic clock. */
  readonly lastReplyAt: number;
  /** Rejects with StoreUnavailable if the outcome is not known within the budget (milliseconds). */
  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    budgetMs: number,
  ): Promise<KnownOutcome>;
  /** Leaves the present connection. The next connection searches for the store again. */
  reset(): void;
  /** Rejects the appends in flight. */
  close(): void;
}

export interface AppendCallEvents {
  readonly replied: (reply: AppendReply) => void;
  /** The call can take more again. */
  readonly drained: () => void;
  /** The store takes no more appends over this call. It still answers those it already has. */
  readonly retired: () => void;
  readonly lost: (problem: Error) => void;
}

/** One BatchAppend stream. */
export interface AppendCall {
  /** Returns false if the caller should wait for `drained` before it writes more. */
  write(frames: Buffer): boolean;
  /** Closes the connection, and with it every call, if it shows no sign of life within this time (milliseconds). */
  probe(timeoutMs: number): void;
  cancel(): void;
}

export interface AppendTransport {
  /** Reports no events before the promise resolves. */
  open(events: AppendCallEvents): Promise<AppendCall>;
  disconnect(): void;
}

/** A call and the channel's own record of it. */
interface OpenCall {
  readonly call: AppendCall;
  repliedAt: number;
  /** When the last probe was sent. */
  probedAt: number;
  /** When the last write was sent. */
  writtenAt: number;
  /** Whether nothing was answered since the last write. */
  awaitsReply: boolean;
  congested: boolean;
}

interface InFlight {
  readonly frame: Buffer;
  readonly resolve: (outcome: KnownOutcome) => void;
  readonly reject: (error: StoreUnavailable) => void;
  readonly deadline: NodeJS.Timeout;
  /** Undefined while the append waits to be written. */
  openCall: OpenCall | undefined;
  /** When the append was last written, or when it arrived, on the monotonic clock. */
  sentAt: number;
  done: boolean;
  lastProblem: unknown;
  /** How often the store answered without a known outcome. */
  unknowns: number;
  /** How often it was written. */
  writes: number;
}

export interface AppendChannelOptions {
  /** A call without any answer for this long, while appends wait, is replaced by a new one (default 600 ms). */
  readonly stallMs?: number;
  /** An append that arrives while a write is unanswered waits this long, to share the next write (default 4 ms). */
  readonly sharedWithinMs?: number;
}

/** With no more than these under way, each append is written at once: waiting to share a write would cost more than it saves. */
const FEW_IN_FLIGHT = 8;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 250;

/** Share of the budget within which the store must decide an append, so that the answer still arrives in time. */
const DECIDED_WITHIN = 0.8;

/** A store ends the whole call at a message beyond its limit. No store accepts an append this large. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

const pauseAfter = (failures: number): number => Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);

/** Reads answers that arrived while this process was busy, before the check for missing answers. */
const afterReading =
  (work: () => void): (() => void) =>
  () =>
    void setImmediate(work);

/**
 * Appends over one call, with any number in flight. Appends of one turn of the event loop share one write. Where many
 * are under way, appends that arrive while a write is unanswered share the next write. If a call is lost, its
 * unanswered appends are written again, byte for byte, on the next call. This repeats until the budget is used up. The
 * store recognises a repeated append by its ids and expected revision.
 */
export class AppendChannel implements Appends {
  private readonly inFlight = new Map<number, InFlight>();
  private readonly stallMs: number;
  private readonly sharedWithinMs: number;
  private queue: InFlight[] = [];
  private flushing = false;
  /** The call for new appends. A retired call still answers the appends it carries. */
  private present: OpenCall | undefined;
  /** Counts attempts to open a call, to recognise an attempt that finishes too late. */
  private attempt = 0;
  private opening = false;
  private failures = 0;
  private correlations = 0;
  private repliedAt = 0;
  private watch: NodeJS.Timeout | undefined;
  private sharing: NodeJS.Timeout | undefined;

  constructor(
    private readonly transport: AppendTransport,
    options: AppendChannelOptions = {},
  ) {
    this.stallMs = options.stallMs ?? 600;
    this.sharedWithinMs = options.sharedWithinMs ?? 4;
  }

  get lastReplyAt(): number {
    return this.repliedAt;
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    budgetMs: number,
  ): Promise<KnownOutcome> {
    this.correlations += 1;
    const correlation = this.correlations;
    const frame = encodeAppend(correlation, stream, events, expected, budgetMs * DECIDED_WITHIN);
    if (frame.length > MAX_FRAME_BYTES) {
      return Promise.resolve({ kind: 'refused', reason: `an append of ${frame.length} bytes is too large` });
    }
    return new Promise((resolve, reject) => {
      const entry: InFlight = {
        frame,
        resolve,
        reject,
        deadline: setTimeout(
          afterReading(() => this.expire(correlation)),
          budgetMs,
        ),
        openCall: undefined,
        sentAt: performance.now(),
        done: false,
        lastProblem: undefined,
        unknowns: 0,
        writes: 0,
      };
      this.inFlight.set(correlation, entry);
      this.watchForStall();
      this.send(entry);
    });
  }

  reset(): void {
    this.attempt += 1;
    this.opening = false;
    this.present = undefined;
    for (const openCall of this.openCalls()) this.abandon(openCall, new Error('the connection was left for a new one'));
    this.transport.disconnect();
    this.flushLater();
  }

  close(): void {
    for (const correlation of [...this.inFlight.keys()]) this.expire(correlation);
    clearTimeout(this.watch);
    this.reset();
  }

  private send(entry: InFlight): void {
    this.queue.push(entry);
    this.flushShared();
  }

  private flushLater(): void {
    if (this.flushing) return;
    this.flushing = true;
    setImmediate(() => this.flush());
  }

  /** A write costs the store and this process more than its content does, so appends share one. */
  private flushShared(): void {
    const { present } = this;
    const isWorthIt = present?.awaitsReply === true && this.inFlight.size > FEW_IN_FLIGHT;
    const wait = isWorthIt ? present.writtenAt + this.sharedWithinMs - performance.now() : 0;
    if (wait <= 0) this.flushLater();
    else this.sharing ??= setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    this.flushing = false;
    clearTimeout(this.sharing);
    this.sharing = undefined;
    const openCall = this.present;
    if (openCall?.congested === true) return;
    this.queue = this.queue.filter(({ done }) => !done);
    if (this.queue.length === 0) return;
    if (openCall === undefined) {
      this.connect();
      return;
    }
    const entries = this.queue;
    this.queue = [];
    const now = performance.now();
    for (const entry of entries) {
      entry.openCall = openCall;
      entry.sentAt = now;
      entry.writes += 1;
    }
    openCall.writtenAt = now;
    openCall.awaitsReply = true;
    openCall.congested = !openCall.call.write(Buffer.concat(entries.map(({ frame }) => frame)));
  }

  private connect(): void {
    if (this.opening) return;
    this.opening = true;
    this.attempt += 1;
    const attempt = this.attempt;
    this.open(attempt).catch((error: unknown) => {
      if (attempt === this.attempt) this.retryLater(error);
    });
  }

  private async open(attempt: number): Promise<void> {
    const opened: { openCall?: OpenCall } = {};
    const call = await this.transport.open({
      replied: (reply) => opened.openCall && this.answered(opened.openCall, reply),
      drained: () => opened.openCall && this.drained(opened.openCall),
      retired: () => opened.openCall && this.retire(opened.openCall),
      lost: (problem) => opened.openCall && this.lost(opened.openCall, problem),
    });
    if (attempt !== this.attempt) {
      call.cancel();
      return;
    }
    this.opening = false;
    this.present = opened.openCall = {
      call,
      repliedAt: performance.now(),
      probedAt: 0,
      writtenAt: 0,
      awaitsReply: false,
      congested: false,
    };
    this.flush();
  }

  private drained(openCall: OpenCall): void {
    openCall.congested = false;
    if (openCall === this.present) this.flush();
  }

  private retire(openCall: OpenCall): void {
    if (openCall !== this.present) return;
    this.present = undefined;
    this.endWhenAnswered(openCall);
    this.flushLater();
  }

  private lost(openCall: OpenCall, problem: Error): void {
    const wasPresent = openCall === this.present;
    if (wasPresent) this.present = undefined;
    this.abandon(openCall, problem);
    if (wasPresent) this.retryLater(problem);
    else this.flushLater();
  }

  /** The appends of this call wait for the next call, ahead of all later appends. */
  private abandon(openCall: OpenCall, problem: Error): void {
    const carried = [...this.inFlight.values()].filter((entry) => entry.openCall === openCall);
    for (const entry of carried) {
      entry.openCall = undefined;
      entry.lastProblem = problem;
    }
    this.queue = [...carried, ...this.queue];
    openCall.call.cancel();
  }

  private retryLater(problem: unknown): void {
    for (const entry of this.queue) entry.lastProblem = problem;
    this.opening = true;
    this.attempt += 1;
    const attempt = this.attempt;
    const pause = pauseAfter(this.failures);
    this.failures += 1;
    setTimeout(() => {
      if (attempt !== this.attempt) return;
      this.opening = false;
      this.flush();
    }, pause).unref();
  }

  private answered(openCall: OpenCall, { correlation, outcome }: AppendReply): void {
    this.repliedAt = performance.now();
    openCall.repliedAt = this.repliedAt;
    openCall.awaitsReply = false;
    this.failures = 0;
    if (this.queue.length > 0) this.flushLater();
    const entry = this.inFlight.get(correlation);
    if (entry === undefined) return;
    entry.openCall = undefined;
    // An earlier copy may have been taken, whatever the store says of this one.
    const isOpen = outcome.kind === 'unknown' || (outcome.kind === 'refused' && entry.writes > 1);
    if (isOpen) this.askAgain(entry, outcome.reason);
    else {
      this.forget(correlation, entry);
      entry.resolve(outcome);
    }
    if (openCall !== this.present) this.endWhenAnswered(openCall);
  }

  /** A store that is too busy says so at once. Retries at a fixed pace would keep it busy, so the pause grows. */
  private askAgain(entry: InFlight, reason: string): void {
    entry.lastProblem = new Error(reason);
    setTimeout(() => this.send(entry), pauseAfter(entry.unknowns)).unref();
    entry.unknowns += 1;
  }

  private expire(correlation: number): void {
    const entry = this.inFlight.get(correlation);
    if (entry === undefined) return;
    this.forget(correlation, entry);
    entry.reject(new StoreUnavailable({ cause: entry.lastProblem }));
    if (entry.openCall !== undefined && entry.openCall !== this.present) this.endWhenAnswered(entry.openCall);
  }

  private forget(correlation: number, entry: InFlight): void {
    this.inFlight.delete(correlation);
    clearTimeout(entry.deadline);
    entry.done = true;
  }

  /** A retired call keeps its connection open, and a server may wait for the client to end it. */
  private endWhenAnswered(openCall: OpenCall): void {
    if (!this.openCalls().has(openCall)) openCall.call.cancel();
  }

  private openCalls(): Set<OpenCall> {
    const openCalls = new Set<OpenCall>(this.present === undefined ? [] : [this.present]);
    for (const { openCall } of this.inFlight.values()) if (openCall !== undefined) openCalls.add(openCall);
    return openCalls;
  }

  private watchForStall(): void {
    this.watch ??= setTimeout(
      afterReading(() => this.lookForStall()),
      this.stallMs / 2,
    ).unref();
  }

  private lookForStall(): void {
    this.watch = undefined;
    const oldest = this.inFlight.values().next().value;
    if (oldest === undefined) return;
    const openCall = oldest.openCall ?? this.present;
    if (openCall !== undefined) {
      const unansweredSince = Math.max(oldest.sentAt, openCall.repliedAt);
      const unansweredMs = performance.now() - unansweredSince;
      if (unansweredMs > this.stallMs && openCall.probedAt > unansweredSince) {
        this.lost(openCall, new Error('the store does not answer'));
      } else if (unansweredMs > this.stallMs / 2) {
        openCall.probedAt = performance.now();
        openCall.call.probe(this.stallMs / 2);
      }
    }
    this.watchForStall();
  }
}
