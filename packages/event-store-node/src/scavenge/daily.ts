import { scavenge } from './scavenge.js';

export interface ScavengeTimes {
  /** From the start to the first one, milliseconds. */
  readonly first: number;
  /** From the end of one to the next. */
  readonly every: number;
}

const DAILY: ScavengeTimes = { first: 10 * 60_000, every: 24 * 3_600_000 };

/**
 * Scavenges beside the node that serves, on a Postgres session of its own, so that no append waits for it. `report` is told in
 * a line what went, and of failures; the next one takes up what a failure or a stop has left. Answers with what ends it.
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
