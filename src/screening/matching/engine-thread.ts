import { Worker } from 'node:worker_threads';
import { type EngineLists, type EngineReply, type EngineRequest, type EngineResults } from './engine-messages.js';

interface Waiting {
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

/** Lists in a thread of their own, so that a check never delays other requests. Its lists never change. */
export class EngineThread {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended: Error | undefined;
  private closing = false;

  private constructor(
    private readonly worker: Worker,
    private readonly ready: (thread: EngineThread) => void,
    private readonly failed: (error: Error) => void,
  ) {
    worker.on('message', (message: EngineReply | { readonly ready: true }) => {
      if ('ready' in message) this.begin();
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

  ask<Ask extends EngineRequest['ask']>(request: EngineRequest & { readonly ask: Ask }): Promise<EngineResults[Ask]> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.last += 1;
      this.waiting.set(this.last, { resolve, reject });
      this.worker.ref();
      this.worker.postMessage({ id: this.last, request });
    });
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
  private begin(): void {
    this.worker.unref();
    this.ready(this);
  }

  private settle(reply: EngineReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (this.waiting.size === 0) this.worker.unref();
    if (this.waiting.size === 0 && this.closing) this.close();
    if ('fault' in reply) waiting?.reject(new Error(`Screening failed: ${reply.fault}`));
    else waiting?.resolve(reply.result as never);
  }

  private end(error: Error): void {
    this.ended ??= error;
    this.failed(error);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
