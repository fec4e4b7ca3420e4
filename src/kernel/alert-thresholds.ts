/** Low-balance alerts come at these percentages of the balance after the last purchase, unless the account chose others. */
export const DEFAULT_ALERT_THRESHOLDS: readonly number[] = [20, 5, 0];
