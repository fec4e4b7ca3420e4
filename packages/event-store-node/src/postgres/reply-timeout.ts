import { type Socket } from 'node:net';

/** Milliseconds. A timer this late means that this process was held up, not the server. */
const HELD_UP_MS = 100;
const SECOND_CHANCE_MS = 250;

/** Gives up on a server that is silent for `limitMs`. A server in the middle of a long response may finish it. */
export class ReplyTimeout {
  private timer: NodeJS.Timeout;
  private heard: number;
  private due: number;

  constructor(
    private readonly socket: Socket,
    private readonly limitMs: number,
    private readonly giveUp: () => void,
  ) {
    this.heard = socket.bytesRead;
    this.due = performance.now() + limitMs;
    this.timer = setTimeout(() => this.judge(), limitMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private judge(): void {
    const heldUp = performance.now() - this.due > HELD_UP_MS;
    if (this.socket.bytesRead !== this.heard) this.wait(this.limitMs);
    else if (heldUp) this.wait(SECOND_CHANCE_MS);
    else this.giveUp();
  }

  private wait(milliseconds: number): void {
    this.heard = this.socket.bytesRead;
    this.due = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.judge(), milliseconds);
  }
}
