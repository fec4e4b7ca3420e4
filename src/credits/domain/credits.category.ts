import { defineQueuedCategory } from '../../kernel/category.js';
import { carriedEntries, CREDIT_ACCOUNT_VERSION, fromSnapshot, toSnapshot } from './carrying.js';
import { type CreditEvent, creditsStream } from './credits.events.js';
import { creditAccount, draftOf } from './credits.js';

const EVENT_BYTES = 700;
const CARRIED_ENTRY_BYTES = 250;

/** Of an id beside those of a usual entry. */
const ID_BYTES = 16;

const weigh = (event: CreditEvent): number => {
  const cappedIds = 'capped' in event.data ? event.data.capped.keyIds.length : 0;
  return weighData(event) + ID_BYTES * cappedIds;
};

const weighData = ({ type, data }: CreditEvent): number => {
  if (type === 'DeductionSettled.v1') return EVENT_BYTES + data.access.ct.length;
  if (type === 'OperationCharged.v1') return EVENT_BYTES + data.access.ct.length + (data.record?.ct.length ?? 0);
  if (type === 'CreditsAdjusted.v1') return EVENT_BYTES + (data.reason?.ct.length ?? 0);
  if (type === 'BalanceCarriedForward.v1') return EVENT_BYTES + carriedEntries(data) * CARRIED_ENTRY_BYTES;
  return EVENT_BYTES;
};

export const creditsCategory = defineQueuedCategory({
  name: 'credits',
  stream: creditsStream,
  decider: creditAccount,
  events: {
    'CreditsPurchased.v1': {},
    'CreditsRecharged.v1': {},
    'DebtPaid.v1': {},
    'CreditsReversed.v1': {},
    'CreditsRestored.v1': {},
    'CreditsAdjusted.v1': { personal: { reason: 'texts' } },
    'OperationCharged.v1': { personal: { access: 'audit', record: 'audit' } },
    'ChargeReversed.v1': {},
    'CreditsDeducted.v1': {},
    'DeductionSettled.v1': { personal: { access: 'audit' } },
    'DeductionRefunded.v1': {},
    'CreditsReturned.v1': {},
    'LowBalanceReached.v1': {},
    'KeyCapReached.v1': {},
    'AlertThresholdsFollowed.v1': {},
    'AutoRechargeConfigured.v1': {},
    'AutoRechargeRequested.v1': {},
    'AutoRechargeFailed.v1': {},
    'AutoRechargeSwitchedOff.v1': {},
    'SuspensionFollowed.v1': {},
    'BalanceCarriedForward.v1': {},
  },
  kept: 'records',
  snapshots: { version: CREDIT_ACCOUNT_VERSION, encode: toSnapshot, decode: fromSnapshot },
  queue: { draft: draftOf, weigh },
});
