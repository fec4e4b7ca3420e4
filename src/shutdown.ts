const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A terminal and npm both pass the same Ctrl-C on: signals this close are one. */
const SAME_SIGNAL_MS = 2_000;

/**
 * Resolves at the first signal to end. A later one, more than two seconds after it, means that somebody is tired of waiting:
 * `hurry` is called.
 */
export const untilSignalled = (hurry: () => void): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let first: number | undefined;
    for (const name of SIGNALS) {
      process.on(name, () => {
        const now = performance.now();
        if (first === undefined) {
          first = now;
          resolve(name);
        } else if (now - first > SAME_SIGNAL_MS) hurry();
      });
    }
  });
