import { sleep } from '../processes.js';
import { type Http } from './http.js';

/** Callers who want nothing of any store: how long they wait is the machine's fault alone, and no promise is broken by it. */
export class Pulse {
  private slowest = 0;
  private running = true;
  private readonly callers: Promise<void>[];

  constructor(https: readonly Http[]) {
    this.callers = https.map((http) => this.call(http));
  }

  /** The longest that one of them waited, milliseconds. */
  async stop(): Promise<number> {
    this.running = false;
    await Promise.all(this.callers);
    return this.slowest;
  }

  private async call(http: Http): Promise<void> {
    while (this.running) {
      const { took } = await http.expect(200, { path: '/health/live' });
      this.slowest = Math.max(this.slowest, took);
      await sleep(20);
    }
  }
}
