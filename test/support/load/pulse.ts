import { sleep } from '../processes.js';
import { type Http } from './http.js';

/** Callers that need no store. Only the machine can make them wait, and their wait breaks no promise of the service. */
export class Pulse {
  private slowest = 0;
  private running = true;
  private readonly callers: Promise<void>[];

  constructor(https: readonly Http[]) {
    this.callers = https.map((http) => this.call(http));
  }

  /** Ends the calls. Returns the longest wait in milliseconds. */
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
