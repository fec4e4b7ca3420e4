import { defineQueuedCategory } from '../../kernel/category.js';
import { type CreditEvent, creditsStream } from './credits.events.js';
import { CREDIT_ACCOUNT_VERSION, creditAccount, draftOf, fromSnapshot, toSnapshot } from './credits.js';

const EVENT_BYTES = 700;
const SETTLED_ID_BYTES = 40;
const CARRIED_ENTRY_BYTES = 150;

const weigh = ({ type, data }: CreditEvent): number => {
  if (type === 'DeductionsSettled.v1') return EVENT_BYTES + data.deductionIds.length * SETTLED_ID_BYTES;
  if (type === 'OperationCharged.v1') return EVENT_BYTES + data.access.ct.length + (data.record?.ct.length ?? 0);
  if (type === 'CreditsAdjusted.v1') return EVENT_BYTES + (data.reason?.ct.length ?? 0);
  if (type !== 'BalanceCarriedForward.v1') return EVENT_BYTES;
  const entries = data.open.length + data.references.length + (data.reversals?.charges.length ?? 0);
  return EVENT_BYTES + entries * CARRIED_ENTRY_BYTES;
};

export const creditsCategory = defineQueuedCategory({
  name: 'credits',
  stream: creditsStream,
  decider: creditAccount,
  events: {
    'CreditsPurchased.v1': {},
    'CreditsAdjusted.v1': { personal: { reason: 'texts' } },
    'OperationCharged.v1': { personal: { access: 'audit', record: 'audit' } },
    'ChargeReversed.v1': {},
    'CreditsDeducted.v1': {},
    'DeductionsSettled.v1': {},
    'DeductionRefunded.v1': {},
    'BalanceCarriedForward.v1': {},
  },
  kept: 'records',
  snapshots: { version: CREDIT_ACCOUNT_VERSION, encode: toSnapshot, decode: fromSnapshot },
  queue: { draft: draftOf, weigh },
});
