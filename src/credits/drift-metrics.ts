import { type Metrics } from '../observability/metrics.js';
import { type DriftSummary, type DriftTable } from './drift-table.js';

const MEASURES = [
  ['drift_accounts', 'Accounts whose rows are not what their stream says', ({ accounts }) => accounts],
  [
    'drift_first_position',
    'Commit position of the first wrong row; 0 if none is wrong',
    ({ first }) => Number(first ?? 0n),
  ],
  [
    'drift_oldest_check_timestamp_seconds',
    'When the account that waits longest was last compared; 0 if none was',
    ({ oldest }) => (oldest?.getTime() ?? 0) / 1_000,
  ],
] as const satisfies readonly (readonly [string, string, (summary: DriftSummary) => number])[];

/** Returns what counts a checked account and its events. */
export const observeDrift = (table: DriftTable, metrics: Metrics): ((events: number) => void) => {
  for (const [name, help, read] of MEASURES) metrics.storedGauge(name, help, async () => read(await table.summary()));
  const accounts = metrics.total(
    'drift_accounts_checked_total',
    'Accounts that this process compared with their streams',
  );
  const folded = metrics.total('drift_events_folded_total', 'Events that it folded for that');
  return (events) => {
    accounts(1);
    folded(events);
  };
};
