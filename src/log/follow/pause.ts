/** Waits that a signal ends early. */
export class Pause {
  constructor(private readonly signal: AbortSignal) {}

  /** `sooner` ends the wait early, too. */
  for(milliseconds: number, sooner?: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      if (this.signal.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.signal.addEventListener('abort', end, { once: true });
      void sooner?.then(end);
    });
  }
}
