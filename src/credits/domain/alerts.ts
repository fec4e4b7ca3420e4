import { DEFAULT_ALERT_THRESHOLDS } from '../../kernel/alert-thresholds.js';
import { type SetAlertThresholds } from './credits.commands.js';
import { type Alerts, type AlertSeverity, type CreditEvent, type LowBalanceReached } from './credits.events.js';

const NONE_REACHED = 101;

export const newAlerts = (): Alerts => ({
  percentages: DEFAULT_ALERT_THRESHOLDS,
  base: 0,
  reached: NONE_REACHED,
  accountRevision: -1,
});

/** Armed again, by a purchase or a positive adjustment that left this balance. */
export const rearmed = (alerts: Alerts, balance: number): Alerts => ({
  ...alerts,
  base: balance,
  reached: NONE_REACHED,
});

const severityOf = (percentage: number, balance: number, percentages: readonly number[]): AlertSeverity => {
  if (percentage === 0 || balance === 0) return 'depleted';
  const positive = percentages.filter((one) => one > 0);
  return positive.length > 1 && percentage === Math.min(...positive) ? 'critical' : 'warning';
};

/** The alert of a balance that went down: the lowest threshold that it newly reaches, if it reaches one. */
export const alertAt = ({ percentages, base, reached }: Alerts, balance: number): LowBalanceReached | undefined => {
  let lowest: number | undefined;
  for (const percentage of percentages) {
    if (percentage >= reached) continue;
    if (balance > creditsAt(percentage, base)) break;
    lowest = percentage;
  }
  if (lowest === undefined) return undefined;
  return {
    type: 'LowBalanceReached.v1',
    data: {
      currentBalance: balance,
      percentage: lowest,
      threshold: creditsAt(lowest, base),
      severity: severityOf(lowest, balance, percentages),
    },
  };
};

const creditsAt = (percentage: number, base: number): number => Math.floor((base * percentage) / 100);

export const setThresholds = ({ data }: SetAlertThresholds, alerts: Alerts): CreditEvent[] =>
  data.accountRevision <= alerts.accountRevision
    ? []
    : [
        {
          type: 'AlertThresholdsFollowed.v1',
          data: { percentages: [...data.percentages], accountRevision: data.accountRevision },
        },
      ];
