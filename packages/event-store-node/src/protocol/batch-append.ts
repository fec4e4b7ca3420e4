import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { type ProposedEvent } from '../log/record.js';
import { type Outcome } from '../log/requests.js';
import { AppendSize } from '../log/append-size.js';
import { type BadRequest, type BatchMessage, batchResponse, readBatchMessage } from './batch-messages.js';
import { asGrpcError } from './failures.js';
import { readProposedEvent, readWriteOptions, type WriteOptions } from './write-messages.js';

/** A client that sends faster than the log commits has to wait. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Memory of a held message beside its bytes. */
const MESSAGE_BYTES = 1_024;
/** Milliseconds. An append whose last message has not arrived by then is given up, as after EventStoreDB's write timeout. */
const WRITE_TIMEOUT_MS = 2_000;

/** An append whose events may come in several messages. */
interface Batch {
  readonly correlationId: Buffer;
  readonly options: WriteOptions;
  readonly events: ProposedEvent[];
  readonly size: AppendSize;
  /** Bytes that this append adds to the held bytes of the call. */
  held: number;
  timer: NodeJS.Timeout | undefined;
}

/** Streams.BatchAppend: many appends over one call. */
export const batchAppend = (log: Pick<EventLog, 'submit'>) => (call: Call) => new BatchAppendCall(log, call).run();

/**
 * The response to each append carries its correlation id and goes out once it is durable or refused. The protocol has no such
 * response for an unreachable log, so that failure ends the call.
 */
class BatchAppendCall {
  private readonly unfinished = new Map<string, Batch>();
  private submitted = 0;
  private held = 0;
  private ended = false;

  constructor(
    private readonly log: Pick<EventLog, 'submit'>,
    private readonly call: Call,
  ) {}

  run(): void {
    this.call.closed.addEventListener('abort', () => this.forgetAll(), { once: true });
    this.call.receive(
      (bytes) => this.receive(readBatchMessage(bytes), bytes.length),
      () => {
        this.ended = true;
        this.forgetAll();
        if (this.submitted === 0) this.call.end();
      },
    );
  }

  private receive(message: BatchMessage, bytes: number): void {
    const key = message.correlationId.toString('latin1');
    try {
      const batch = this.unfinished.get(key) ?? this.begin(message);
      if (batch !== undefined) this.add(key, batch, message, bytes);
    } catch (error) {
      const options = this.forget(key)?.options;
      this.answer(message.correlationId, options, { kind: 'bad-request', message: asGrpcError(error).message });
    }
  }

  /** Undefined after the deadline, and for the remaining messages of an append that already has its response. */
  private begin({ correlationId, options: reader }: BatchMessage): Batch | undefined {
    if (reader === undefined) return undefined;
    const options = readWriteOptions(reader);
    if (options.deadline <= Date.now()) {
      this.answer(correlationId, options, { kind: 'deadline-exceeded' });
      return undefined;
    }
    return { correlationId, options, events: [], size: new AppendSize(options.stream), held: 0, timer: undefined };
  }

  private add(key: string, batch: Batch, message: BatchMessage, bytes: number): void {
    for (const reader of message.events) {
      const event = readProposedEvent(reader);
      batch.size.add(event);
      if (batch.size.exceeded) {
        this.giveUp(key, batch, { kind: 'too-large' });
        return;
      }
      batch.events.push(event);
    }
    this.hold(batch, bytes + MESSAGE_BYTES);
    if (message.isFinal) void this.submit(key, batch);
    else this.await(key, batch);
  }

  private await(key: string, batch: Batch): void {
    this.unfinished.set(key, batch);
    const milliseconds = Math.min(batch.options.deadline - Date.now(), WRITE_TIMEOUT_MS);
    batch.timer ??= setTimeout(() => this.giveUp(key, batch, { kind: 'deadline-exceeded' }), milliseconds);
  }

  private async submit(key: string, batch: Batch): Promise<void> {
    const { options, events, correlationId } = batch;
    const { stream, expected, deadline } = options;
    clearTimeout(batch.timer);
    this.unfinished.delete(key);
    this.submitted += 1;
    try {
      const outcome = await this.log.submit({ kind: 'append', stream, expected, events, deadline });
      this.answer(correlationId, options, outcome);
    } catch (error) {
      this.call.fail(error);
    } finally {
      this.submitted -= 1;
      this.release(batch);
      if (this.ended && this.submitted === 0) this.call.end();
    }
  }

  private giveUp(key: string, batch: Batch, outcome: Outcome): void {
    this.forget(key);
    this.answer(batch.correlationId, batch.options, outcome);
  }

  private forget(key: string): Batch | undefined {
    const batch = this.unfinished.get(key);
    if (batch === undefined) return undefined;
    clearTimeout(batch.timer);
    this.unfinished.delete(key);
    this.release(batch);
    return batch;
  }

  private forgetAll(): void {
    for (const key of [...this.unfinished.keys()]) this.forget(key);
  }

  private answer(correlationId: Buffer, options: WriteOptions | undefined, outcome: Outcome | BadRequest): void {
    this.call.send(batchResponse(correlationId, options, outcome));
  }

  private hold(batch: Batch, bytes: number): void {
    batch.held += bytes;
    this.held += bytes;
    if (this.held >= MAX_HELD_BYTES) this.call.pause();
  }

  private release(batch: Batch): void {
    this.held -= batch.held;
    if (this.held < MAX_HELD_BYTES) this.call.resume();
  }
}
