import { type Delivery } from './event-store.js';
import { type CallEvents, type Http2Call } from './http2-call.js';
import { decodeReadResponse } from './read-codec.js';

/** What may wait for the consumer before the store is held back: bytes as they came, and deliveries. */
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_WAITING = 1_024;

/** What a subscription has delivered and its consumer has not taken yet, from the call's events to pages. */
export class AllSubscription implements CallEvents {
  private page: Delivery[] = [];
  private waitingBytes = 0;
  private paused = false;
  private call: Http2Call | undefined;
  private over = false;
  private problem: Error | undefined;
  private wake: (() => void) | undefined;

  begin(call: Http2Call, request: Buffer): void {
    if (this.over) {
      call.cancel();
      return;
    }
    this.call = call;
    call.finishWith(request);
  }

  readonly message = (bytes: Buffer): void => {
    const response = decodeReadResponse(bytes);
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

  /** All that waits, at least one. Throws what ended the subscription; where it ended without a problem, that is a drop too. */
  async next(): Promise<readonly Delivery[]> {
    while (this.page.length === 0) {
      if (this.over) throw this.problem ?? new Error('the subscription was dropped');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.take();
  }

  private take(): readonly Delivery[] {
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
