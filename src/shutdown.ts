const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds. A terminal and npm both pass on the same Ctrl-C, so signals this close count as one. */
const SAME_SIGNAL_MS = 2_000;

/**
 * Resolves at the first signal to end. A later signal, more than two seconds after it, means that the operator is impatient, and
 * calls `hurry`.
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
