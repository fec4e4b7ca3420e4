import { ACCOUNT_STREAM_PREFIX, type AccountEvent } from '../../src/accounts/domain/account.events.js';
import { PAYMENT_STREAM_PREFIX, type PaymentEvent } from '../../src/billing/domain/payment.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { defineProjection } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';

const KEEP = `INSERT INTO payments
    (tenant_id, purchase_id, latest_at, status, paid_minor, refunded_minor, refused, disputes)
  VALUES ($1, $2, $3, 'absent', 0, 0, false, '{}')
  ON CONFLICT (tenant_id, purchase_id) DO UPDATE SET latest_at = greatest(payments.latest_at, $3)`;

/** What each event changes of its row, by `$3` and `$4`. As `evolve` of a payment's state. */
const CHANGES: Readonly<Partial<Record<PaymentEvent['type'], string>>> = {
  'PaymentOpened.v1':
    "opened_at = $3, opened = $4, status = 'open', paid_minor = ($4::jsonb ->> 'amountMinor')::bigint",
  'SubscriptionCheckoutOpened.v1': "status = 'open'",
  'PaymentReceived.v1': "status = 'received', payment_intent_id = coalesce(payment_intent_id, $3)",
  'PaymentFailed.v1': "status = 'failed'",
  'CheckoutEnded.v1': 'status = $3',
  'HeldPaymentReleased.v1': `paid_minor = coalesce((SELECT amount_minor FROM held_payments
     WHERE purchase_id = $2 AND amount_minor > 0), paid_minor)`,
  'HeldPaymentRefused.v1': 'refused = true',
  'PaymentRefunded.v1': 'refunded_minor = $3',
  'RefundFailed.v1': 'refunded_minor = $3',
  'PaymentDisputed.v1': "disputes = jsonb_build_object($3::text, 'open') || disputes",
  'DisputeWon.v1': "disputes = disputes || jsonb_build_object($3::text, 'won')",
  'DisputeLost.v1': "disputes = disputes || jsonb_build_object($3::text, 'lost')",
};

const valuesOf = ({ id, position, metadata, ...event }: Recorded<PaymentEvent>): readonly unknown[] => {
  switch (event.type) {
    case 'PaymentOpened.v1':
      return [position, JSON.stringify({ eventId: id, ...event.data, createdAt: metadata.time })];
    case 'PaymentReceived.v1':
      return [event.data.paymentIntentId];
    case 'CheckoutEnded.v1':
      return [event.data.how];
    case 'PaymentRefunded.v1':
    case 'RefundFailed.v1':
      return [event.data.refundedMinor];
    case 'PaymentDisputed.v1':
    case 'DisputeWon.v1':
    case 'DisputeLost.v1':
      return [event.data.disputeId];
    case 'SubscriptionCheckoutOpened.v1':
    case 'PaymentFailed.v1':
    case 'PaymentHeld.v1':
    case 'HeldPaymentReleased.v1':
    case 'HeldPaymentRefused.v1':
      return [];
  }
};

/** The name of a payment's stream ends with the 32 hexadecimal digits of its purchase. */
const PURGE = [
  'DELETE FROM payments WHERE tenant_id = $1 AND purchase_id = right($2, 32)::uuid',
  'DELETE FROM held_payments WHERE tenant_id = $1 AND purchase_id = right($2, 32)::uuid',
];

const END_GRACE = 'DELETE FROM graces WHERE tenant_id = $1 AND subscription_id = $2';

const kept = (event: Recorded<PaymentEvent>): Statement[] => {
  const { stream, type, data, metadata } = event;
  const payment = [tenantOfStream(stream), data.purchaseId];
  const change = CHANGES[type];
  const changed = {
    text: `UPDATE payments SET ${change ?? ''} WHERE tenant_id = $1 AND purchase_id = $2`,
    values: [...payment, ...valuesOf(event)],
  };
  return [{ text: KEEP, values: [...payment, metadata.time] }, ...(change === undefined ? [] : [changed])];
};

const ofHeld = (event: Recorded<PaymentEvent>): Statement | undefined => {
  switch (event.type) {
    case 'PaymentHeld.v1': {
      const { purchaseId, reason, amountMinor, currency, package: name, providerId } = event.data;
      const values = [purchaseId, tenantOfStream(event.stream), reason, amountMinor, currency, name, providerId];
      return {
        text: `INSERT INTO held_payments
                 (purchase_id, tenant_id, reason, amount_minor, currency, package, provider_id, held_at, position)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               ON CONFLICT (purchase_id) DO UPDATE SET reason = $3, amount_minor = $4, currency = $5, package = $6,
                 provider_id = $7, held_at = $8, position = $9`,
        values: [...values, event.metadata.time, event.position],
      };
    }
    case 'PaymentReceived.v1':
    case 'HeldPaymentReleased.v1':
    case 'HeldPaymentRefused.v1':
      return { text: 'DELETE FROM held_payments WHERE purchase_id = $1', values: [event.data.purchaseId] };
    case 'PaymentOpened.v1':
    case 'SubscriptionCheckoutOpened.v1':
    case 'PaymentFailed.v1':
    case 'CheckoutEnded.v1':
    case 'PaymentRefunded.v1':
    case 'RefundFailed.v1':
    case 'PaymentDisputed.v1':
    case 'DisputeWon.v1':
    case 'DisputeLost.v1':
    default:
      return undefined;
  }
};

const ofAccount = (event: Recorded<AccountEvent>): Statement | undefined => {
  const tenantId = tenantOfStream(event.stream);
  switch (event.type) {
    case 'SubscriptionPastDue.v1': {
      const { subscriptionId, graceEnds } = event.data;
      return {
        text: `INSERT INTO graces (tenant_id, subscription_id, ends_at) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id) DO UPDATE SET subscription_id = $2, ends_at = $3`,
        values: [tenantId, subscriptionId, graceEnds],
      };
    }
    case 'SubscriptionStarted.v1':
      return { text: 'DELETE FROM graces WHERE tenant_id = $1', values: [tenantId] };
    case 'SubscriptionRenewed.v1':
    case 'SubscriptionLapsed.v1':
    case 'SubscriptionEnded.v1':
      return { text: END_GRACE, values: [tenantId, event.data.subscriptionId] };
    case 'OperatorActProposed.v1':
    case 'OperatorActApproved.v1':
    case 'OperatorActRejected.v1':
    case 'OperatorActFailed.v1':
    case 'MemberInvited.v1':
    case 'MemberInvitedAgain.v1':
    case 'MemberJoined.v1':
    case 'PasskeyAdded.v1':
    case 'PasskeyRemoved.v1':
    case 'MemberRoleChanged.v1':
    case 'MemberRenamed.v1':
    case 'MemberRemoved.v1':
    case 'AccountCreated.v1':
    case 'AccountDistrusted.v1':
    case 'AccountTrusted.v1':
    case 'AccountSuspended.v1':
    case 'AccountReinstated.v1':
    case 'AccountLimitsChanged.v1':
    case 'AccountContactChanged.v1':
    case 'AccountRenamed.v1':
    case 'AccountNamingChanged.v1':
    case 'AccountTierChanged.v1':
    case 'AlertThresholdsChanged.v1':
    case 'ApiKeyIssued.v1':
    case 'ApiKeyLimited.v1':
    case 'ApiKeyRotated.v1':
    case 'ApiKeyRevoked.v1':
    case 'PaymentCustomerKept.v1':
    case 'SubscriptionChanged.v1':
    default:
      return undefined;
  }
};

const ofPurge = ({ data: { stream } }: Recorded<RetentionEvent>): readonly Statement[] =>
  stream.startsWith(PAYMENT_STREAM_PREFIX)
    ? PURGE.map((text) => ({ text, values: [tenantOfStream(stream), stream] }))
    : [];

const statementsOf = (event: StoredEvent): readonly (Statement | undefined)[] => {
  if (event.stream.startsWith(RETENTION_STREAM_PREFIX)) return ofPurge(event as Recorded<RetentionEvent>);
  if (event.stream.startsWith(ACCOUNT_STREAM_PREFIX)) return [ofAccount(event as Recorded<AccountEvent>)];
  const payment = event as Recorded<PaymentEvent>;
  return [...kept(payment), ofHeld(payment)];
};

/** What was bought, what is held for operators, and the graces that end one day. All change rarely. */
export const payments = defineProjection(import.meta.url, {
  name: 'payments',
  version: 6,
  tables: ['payments', 'held_payments', 'graces'],
  streamPrefixes: [PAYMENT_STREAM_PREFIX, ACCOUNT_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  project: (events) => events.flatMap(statementsOf).filter((statement) => statement !== undefined),
});
