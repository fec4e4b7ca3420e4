import { deriveUuid, type TenantId } from '../../kernel/ids.js';
import { CREDIT_PACKAGES } from '../../kernel/pricing.js';
import { refuse } from '../../kernel/rejection.js';
import { type ConfigureAutoRecharge, type FailAutoRecharge, type FollowSuspension } from './credits.commands.js';
import { type AutoRecharge, type AutoRechargeRequested, type CreditEvent } from './credits.events.js';

/** Most recharges a day of an account that chose no other number. */
const MAX_PER_DAY = 10;

const FAILURES_BEFORE_OFF = 3;

/** Namespace of purchase ids, which are derived from the tenant and the number of its requests. */
const PURCHASE_NAMESPACE = '5a0c9e0e-54a5-4b0d-9f0a-7a4b5f0f2c31';

export const newAutoRecharge = (): AutoRecharge => ({
  enabled: false,
  threshold: null,
  package: null,
  maxPerDay: MAX_PER_DAY,
  inFlight: null,
  failures: 0,
  requests: 0,
  day: '',
  requestsOfDay: 0,
  suspended: false,
  accountRevision: -1,
});

/** The moment at which a recharge may fall due. */
export interface Moment {
  readonly tenantId: TenantId;
  readonly balance: number;
  /** UTC day, YYYY-MM-DD. */
  readonly today: string;
}

/** The request for a recharge, if one is due. The level decides, so it does not matter which event lowered it. */
export const dueRecharge = (
  recharge: AutoRecharge,
  { tenantId, balance, today }: Moment,
): AutoRechargeRequested | undefined => {
  const { threshold, package: bought } = recharge;
  if (!recharge.enabled || threshold === null || bought === null || balance >= threshold) return undefined;
  if (recharge.inFlight !== null || recharge.suspended) return undefined;
  // A clock that is behind must not begin a day anew.
  const day = today > recharge.day ? today : recharge.day;
  const numberOfDay = (day === recharge.day ? recharge.requestsOfDay : 0) + 1;
  if (numberOfDay > recharge.maxPerDay) return undefined;
  return {
    type: 'AutoRechargeRequested.v1',
    data: {
      purchaseId: deriveUuid(PURCHASE_NAMESPACE, `${tenantId}:${recharge.requests + 1}`),
      package: bought,
      currentBalance: balance,
      threshold,
      day,
      numberOfDay,
    },
  };
};

/** No payment is under way any more, if this was it. */
export const withoutPendingPurchase = (recharge: AutoRecharge, purchaseId: string): AutoRecharge =>
  recharge.inFlight === purchaseId ? { ...recharge, inFlight: null } : recharge;

export const requested = (recharge: AutoRecharge, { data }: AutoRechargeRequested): AutoRecharge => ({
  ...recharge,
  inFlight: data.purchaseId,
  requests: recharge.requests + 1,
  day: data.day,
  requestsOfDay: data.numberOfDay,
});

const withDue = (events: CreditEvent[], recharge: AutoRecharge, moment: Moment): CreditEvent[] => {
  const due = dueRecharge(recharge, moment);
  return due === undefined ? events : [...events, due];
};

export const configure = ({ data }: ConfigureAutoRecharge, recharge: AutoRecharge, moment: Moment): CreditEvent[] => {
  const next = {
    enabled: data.enabled,
    threshold: data.threshold ?? recharge.threshold,
    package: data.package ?? recharge.package,
    maxPerDay: data.maxPerDay ?? recharge.maxPerDay,
  };
  refuseImpossible(next);
  const unchanged =
    next.enabled === recharge.enabled &&
    next.threshold === recharge.threshold &&
    next.package === recharge.package &&
    next.maxPerDay === recharge.maxPerDay;
  const events: CreditEvent[] = unchanged ? [] : [{ type: 'AutoRechargeConfigured.v1', data: next }];
  return withDue(events, { ...recharge, ...next }, moment);
};

const refuseImpossible = ({
  enabled,
  threshold,
  package: bought,
}: Pick<AutoRecharge, 'enabled' | 'threshold' | 'package'>) => {
  if (enabled && threshold === null)
    throw refuse('invalid_field', { field: 'threshold', detail: 'threshold is needed to enable auto-recharge' });
  if (enabled && bought === null)
    throw refuse('invalid_field', { field: 'package', detail: 'package is needed to enable auto-recharge' });
  if (threshold === null || bought === null) return;
  const { credits } = CREDIT_PACKAGES[bought];
  if (threshold < 1 || threshold > credits)
    throw refuse('invalid_field', {
      field: 'threshold',
      detail: `threshold takes 1 to ${credits}, the package's credits`,
    });
};

export const fail = ({ data }: FailAutoRecharge, recharge: AutoRecharge, moment: Moment): CreditEvent[] => {
  // The payment has ended already, as its provider may report several times.
  if (recharge.inFlight !== data.purchaseId) return [];
  const { purchaseId, reason } = data;
  const failures = recharge.failures + 1;
  const enabled = recharge.enabled && failures < FAILURES_BEFORE_OFF;
  const events: CreditEvent[] = [{ type: 'AutoRechargeFailed.v1', data: { purchaseId, reason, failures, enabled } }];
  if (recharge.enabled && !enabled)
    return [...events, { type: 'AutoRechargeSwitchedOff.v1', data: { reason: 'failures' } }];
  return withDue(events, { ...recharge, inFlight: null }, moment);
};

export const review = (recharge: AutoRecharge, moment: Moment): CreditEvent[] => withDue([], recharge, moment);

export const followSuspension = ({ data }: FollowSuspension, recharge: AutoRecharge, moment: Moment): CreditEvent[] => {
  if (data.accountRevision <= recharge.accountRevision) return [];
  const { suspended, accountRevision } = data;
  const events: CreditEvent[] = [{ type: 'SuspensionFollowed.v1', data: { suspended, accountRevision } }];
  return withDue(events, { ...recharge, suspended }, moment);
};
