import { type CallEvents, type Http2Call } from './http2-call.js';
import { type ReadResponse } from './read-codec.js';
import { type Delivery } from './requests.js';

/** Limits of the buffer, in raw bytes and in deliveries. A full buffer pauses the store. */
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_WAITING = 1_024;

/** Buffers the deliveries of a subscription call in pages, until the consumer takes them. */
export class AllSubscription<Event> implements CallEvents {
  private page: Delivery<Event>[] = [];
  private waitingBytes = 0;
  private paused = false;
  private call: Http2Call | undefined;
  private over = false;
  private problem: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly decode: (message: Buffer) => ReadResponse<Event> | undefined) {}

  begin(call: Http2Call, request: Buffer): void {
    if (this.over) {
      call.cancel();
      return;
    }
    this.call = call;
    call.finishWith(request);
  }

  readonly message = (bytes: Buffer): void => {
    const response = this.decode(bytes);
    if (response === undefined || response.kind === 'not_found') return;
    this.page.push(response);
    this.waitingBytes += bytes.length;
  };

  readonly arrived = (): void => {
    if (this.page.length === 0) return;
    this.wake?.();
    if (this.paused || (this.waitingBytes < MAX_WAITING_BYTES && this.page.length < MAX_WAITING)) return;
    this.paused = true;
    this.call?.pause();
  };

  /** A store that waits for its calls to end would wait for a subscription for ever. */
  readonly goodbye = (): void => {
    this.ended(new Error('the store said goodbye'));
    this.call?.cancel();
  };

  readonly ended = (problem: Error | undefined): void => {
    this.over = true;
    this.problem ??= problem;
    this.wake?.();
  };

  stop(): void {
    this.ended(undefined);
    this.call?.cancel();
  }

  /**
   * Takes all buffered deliveries, at least one. Throws the error that ended the subscription. An end without an error
   * counts as a drop too.
   */
  async next(): Promise<readonly Delivery<Event>[]> {
    while (this.page.length === 0) {
      if (this.over) throw this.problem ?? new Error('the subscription was dropped');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.take();
  }

  private take(): readonly Delivery<Event>[] {
    const { page } = this;
    this.page = [];
    this.waitingBytes = 0;
    if (this.paused) {
      this.paused = false;
      this.call?.resume();
    }
    return page;
  }
}
