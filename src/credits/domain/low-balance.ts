import { type TenantId } from '../../kernel/ids.js';
import { alertAt } from './alerts.js';
import { dueRecharge } from './auto-recharge.js';
import { type CreditEvent } from './credits.events.js';
import { type CreditAccount } from './credit-account.js';

/** The event that leaves this lower balance, with the alert and the recharge that follow from it. Mostly none does. */
export const withLowBalanceEffects = (
  event: CreditEvent,
  { alerts, recharge }: CreditAccount,
  balance: number,
  { tenantId, today }: { readonly tenantId: TenantId; readonly today: string },
): CreditEvent[] => {
  const events = [event];
  const alert = alertAt(alerts, balance);
  if (alert !== undefined) events.push(alert);
  const due = dueRecharge(recharge, { tenantId, balance, today });
  if (due !== undefined) events.push(due);
  return events;
};
