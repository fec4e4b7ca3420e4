import { scavenge } from './scavenge.js';

export interface ScavengeTimes {
  /** Milliseconds from the start to the first scavenge. */
  readonly first: number;
  /** Milliseconds from the end of one scavenge to the next. */
  readonly every: number;
}

const DAILY: ScavengeTimes = { first: 10 * 60_000, every: 24 * 3_600_000 };

/**
 * Scavenges beside the serving node. It uses its own Postgres session, so no append waits for it. `report` receives a line
 * about removed rows and about failures. The next scavenge completes the work of a failed or stopped one. Returns a function
 * that ends it.
 */
export const scavengeDaily = (
  databaseUrl: string,
  report: (line: string) => void,
  { first, every }: ScavengeTimes = DAILY,
): (() => void) => {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const run = async (): Promise<void> => {
    try {
      const { rowsRemoved, rowsCut } = await scavenge(databaseUrl, () => undefined);
      if (rowsRemoved + rowsCut > 0) report(`scavenged: ${rowsRemoved} rows removed, ${rowsCut} cut`);
    } catch (error) {
      if (!stopped) report(`the scavenge failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!stopped) plan(every);
  };
  const plan = (delay: number): void => {
    timer = setTimeout(() => void run(), delay).unref();
  };
  plan(first);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};
