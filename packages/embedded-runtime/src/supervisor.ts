import { type SupervisedProcess } from './supervised-process.js';

/** Milliseconds before each next attempt to start a dead part. The last pause repeats. */
const PAUSES = [0, 250, 1_000, 2_000];

/** Receives the events of an embedded part, for the log. */
export type Report = (event: { readonly level: 'info' | 'warn' | 'error'; readonly message: string }) => void;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });

/** Keeps one embedded part running: restarts it whenever it dies, until it is stopped. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private current: SupervisedProcess | undefined;
  private watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly start: (signal: AbortSignal) => Promise<SupervisedProcess>,
    private readonly report: Report,
  ) {}

  /** The first start. Its errors are thrown. */
  async begin(): Promise<void> {
    this.current = await this.start(this.stopping.signal);
    this.watching = this.watch(this.current);
  }

  /** Ends the part without a restart. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.stopping.abort();
    await this.current?.stop(timeoutSeconds);
    await this.watching;
  }

  private async watch(first: SupervisedProcess): Promise<void> {
    let part: SupervisedProcess | undefined = first;
    while (part !== undefined) {
      await part.ended;
      if (this.stopping.signal.aborted) return;
      const words = part.lastWords === '' ? '' : `: ${part.lastWords}`;
      this.report({
        level: 'warn',
        message: `${this.name} died (status ${part.status ?? 'unknown'})${words}; it is started again`,
      });
      part = await this.startAgain();
    }
  }

  private async startAgain(): Promise<SupervisedProcess | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 0, this.stopping.signal);
      if (this.stopping.signal.aborted) return undefined;
      try {
        this.current = await this.start(this.stopping.signal);
        this.report({ level: 'info', message: `${this.name} runs again` });
        return this.current;
      } catch (error) {
        this.report({
          level: 'error',
          message: `${this.name} could not be started again: ${(error as Error).message}`,
        });
      }
    }
  }
}
