import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../kernel/unavailable.js';
import { type ListId } from '../domain/screening-list.js';
import {
  type EngineLists,
  type EngineReady,
  type EngineReply,
  type EngineRequest,
  type EngineResults,
} from './engine-messages.js';

interface Waiting {
  readonly request: EngineRequest;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Tests run on sources, which a thread cannot load. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/screening/matching/engine.worker.js' : './engine.worker.js',
  import.meta.url,
);

/** Megabytes of JavaScript objects that reading and holding all lists may take. */
const HEAP = 512;
/** What is read passes through here: more would only wait to be collected. */
const YOUNG = 24;

/** Questions that wait: more would be answered after their callers have left. */
const MAX_WAITING = 2_000;
/** Questions that the thread has at once: the next is there when one ends. Those behind can still be taken back. */
const SENT_AT_ONCE = 2;

const unavailable = (cause?: unknown): Unavailable => new Unavailable('screening_lists', { cause });

/** Lists in a thread of their own, so that a check never delays other requests. Its lists never change. */
export class EngineThread {
  private readonly waiting = new Map<number, Waiting>();
  /** Of those that wait, the ones that the thread does not have yet. */
  private readonly unsent = new Set<number>();
  private last = 0;
  private ended: Error | undefined;
  private closing = false;
  /** Those that could be read. */
  lists: ReadonlySet<ListId> = new Set();

  private constructor(
    private readonly worker: Worker,
    private readonly ready: (thread: EngineThread) => void,
    private readonly failed: (error: Error) => void,
  ) {
    worker.on('message', (message: EngineReply | EngineReady) => {
      if ('ready' in message) this.begin(message);
      else this.settle(message);
    });
    worker.on('error', (error) => this.end(error));
    worker.on('exit', () => this.end(new Error('The thread of the screening lists has ended')));
  }

  /** Resolves once the lists are read. Rejects where one cannot be. */
  static start(lists: EngineLists): Promise<EngineThread> {
    const worker = new Worker(PROGRAM, {
      workerData: lists,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG },
    });
    return new Promise((resolve, reject) => new EngineThread(worker, resolve, reject));
  }

  /** Throws Unavailable where the thread has ended or too much waits, and the signal's reason once it aborts. */
  ask<Ask extends EngineRequest['ask']>(
    request: EngineRequest & { readonly ask: Ask },
    signal?: AbortSignal,
  ): Promise<EngineResults[Ask]> {
    if (this.ended !== undefined) return Promise.reject(unavailable(this.ended));
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(unavailable());
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const id = (this.last += 1);
      this.waiting.set(id, { request, resolve, reject });
      this.unsent.add(id);
      signal?.addEventListener('abort', () => this.takeBack(id, signal.reason as Error), { once: true });
      this.worker.ref();
      this.send();
    });
  }

  private send(): void {
    for (const id of this.unsent) {
      if (this.waiting.size - this.unsent.size >= SENT_AT_ONCE) return;
      this.unsent.delete(id);
      this.worker.postMessage({ id, request: this.waiting.get(id)?.request });
    }
  }

  /** What the thread has already is answered to no one. */
  private takeBack(id: number, reason: Error): void {
    this.waiting.get(id)?.reject(reason);
    if (!this.unsent.delete(id)) return;
    this.waiting.delete(id);
    this.rest();
  }

  private rest(): void {
    if (this.waiting.size > 0) return;
    this.worker.unref();
    if (this.closing) this.close();
  }

  get isAlive(): boolean {
    return this.ended === undefined;
  }

  /** Ends once what was asked is answered. */
  closeWhenIdle(): void {
    this.closing = true;
    if (this.waiting.size === 0) this.close();
  }

  close(): void {
    void this.worker.terminate();
  }

  /** An idle thread keeps no process alive. */
  private begin({ lists }: EngineReady): void {
    this.lists = new Set(lists);
    this.worker.unref();
    this.ready(this);
  }

  private settle(reply: EngineReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    this.send();
    this.rest();
    if ('fault' in reply) waiting?.reject(new Error(`Screening failed: ${reply.fault}`));
    else waiting?.resolve(reply.result as never);
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.failed(error);
    for (const { reject } of this.waiting.values()) reject(unavailable(error));
    this.waiting.clear();
    this.unsent.clear();
  }
}
